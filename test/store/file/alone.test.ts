import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { parseSessionId } from "../../../src/model/id.ts"
import { withMoveLock } from "../../../src/store/file/locks/move-lock.ts"

function place() {
  const folder = mkdtempSync(join(tmpdir(), "retcon-alone-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const session = parseSessionId("01a1e160-5c98-72e8-9db6-34e874fc2996")
  if (session === undefined) throw new Error("not an id")
  return { file: join(folder, "x.move"), session, now: () => Date.now() }
}

test("movers wait for each other, and the claim goes when the work ends or fails", async () => {
  const parts = place()
  const order: string[] = []
  const mover = (name: string) =>
    withMoveLock(parts, async () => {
      order.push(`${name} in`)
      await new Promise(setImmediate)
      order.push(`${name} out`)
    })
  await Promise.all([mover("a"), mover("b"), mover("c")])
  for (let i = 0; i < order.length; i += 2) expect(order[i + 1]).toBe(order[i]?.replace("in", "out"))
  await expect(withMoveLock(parts, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
  expect(lstatSync(parts.file, { throwIfNoEntry: false })).toBeUndefined()
})

test.each([
  ["a process that is gone", `4194300 1 ${hostname()}`],
  ["a later process with the same number", `${process.pid} 1 ${hostname()}`],
  ["nobody", "what?"],
])("a claim of %s is taken over", async (_, target) => {
  const parts = place()
  symlinkSync(target, parts.file)
  expect(await withMoveLock(parts, async () => "done")).toBe("done")
  expect(existsSync(`${parts.file}.takeover`)).toBe(false)
})

test.each(["link", "folder"] as const)("another machine's %s is waited for, as long as it is young", async (kind) => {
  const parts = { ...place(), kind }
  const beaten = Date.now()
  if (kind === "link") symlinkSync("1 1 elsewhere", parts.file)
  else {
    mkdirSync(parts.file)
    writeFileSync(join(parts.file, "1-1"), JSON.stringify({ pid: 1, host: "elsewhere", started: "1" }))
  }
  let now = beaten
  let looked = 0
  const clock = () => {
    looked++
    // Five looks later its heart has not beaten for a minute.
    if (looked > 5) now = beaten + 62_000
    return now
  }
  expect(await withMoveLock({ ...parts, now: clock }, async () => looked)).toBeGreaterThan(5)
  expect(lstatSync(parts.file, { throwIfNoEntry: false })).toBeUndefined()
})

test("movers wait for each other where there are no links", async () => {
  const parts = { ...place(), kind: "folder" as const }
  let inside = 0
  const mover = () =>
    withMoveLock(parts, async () => {
      inside++
      await new Promise(setImmediate)
      expect(inside--).toBe(1)
    })
  await Promise.all([mover(), mover(), mover()])
  expect(readdirSync(dirname(parts.file))).toEqual([])
})
