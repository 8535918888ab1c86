// The journal that a restore leaves when it is cut off, and who may finish it.
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import nodePath from "node:path"
import { expect, test, vi } from "vitest"
import { RetconError } from "../../../src/model/failure/retcon-error.ts"
import { get, openAt, type Place, picture, placeForEach, put } from "../folder.ts"

const place = placeForEach()

/** A restore of two files whose disk fails for good after the first one. Returns its journal, and the files before it. */
async function cutOff(): Promise<{ journal: string; start: Record<string, string> }> {
  for (const name of ["one", "two"]) put(place, name, "old\n")
  const workspace = await openAt(place)
  const before = (await workspace.snapshot()).id
  for (const name of ["one", "two"]) put(place, name, "new\n")
  const after = (await workspace.snapshot()).id
  await workspace.close()
  const start = picture(place.root)
  let broken = false
  const failing = await openAt(place, {
    beforeWrite: ({ path }) => {
      broken ||= path.endsWith("/two") && get(place, "one") === "old\n"
      if (broken) throw Object.assign(new Error("EIO"), { code: "EIO" })
    },
  })
  const plan = await failing.planRestore({ steps: [{ before, after }] })
  await expect(failing.restore(plan)).rejects.toMatchObject({ failure: { code: "restore-failed", rolledBack: false } })
  await failing.close().catch(() => {})
  const journal = journalIn(place)
  expect(fs.existsSync(journal)).toBe(true)
  expect([get(place, "one"), get(place, "two")]).toEqual(["old\n", undefined])
  return { journal, start }
}

test.each([
  ["retcon restore 4", "format-newer", /newer retcon/],
  ["retcon restore 1", "damaged", /another version of retcon began this restore/],
  ["", "damaged", /another version of retcon began this restore/],
])("one that begins with %j is refused and stays, for the retcon that can finish it", async (kind, code, words) => {
  const { journal, start } = await cutOff()
  const ours = fs.readFileSync(journal, "utf8")
  fs.writeFileSync(journal, ours.replace(/^[^\0]*/, kind))
  const half = picture(place.root)
  const workspace = await openAt(place)
  const plan = await workspace.planRestore({ steps: [] })
  for (const refused of [workspace.recover(), workspace.restore(plan)]) {
    const error = await refused.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RetconError)
    expect(error).toMatchObject({ failure: { code, path: journal } })
    expect((error as RetconError).message).toMatch(words)
  }
  expect(fs.existsSync(journal)).toBe(true)
  expect(picture(place.root)).toEqual(half)
  fs.writeFileSync(journal, ours)
  expect(await workspace.recover()).toMatchObject({ outcome: "rolled-back", left: [] })
  expect(picture(place.root)).toEqual(start)
  await workspace.close()
})

test("one that was cut off while it was written is removed, wherever it was cut", async () => {
  const { journal } = await cutOff()
  const whole = fs.readFileSync(journal)
  const half = picture(place.root)
  const workspace = await openAt(place)
  for (const length of [0, 1, 10, 20, whole.length - 4, whole.length - 1]) {
    fs.writeFileSync(journal, whole.subarray(0, length))
    expect(await workspace.recover()).toMatchObject({ outcome: "rolled-back", id: "", files: [] })
    expect(fs.existsSync(journal)).toBe(false)
  }
  expect(picture(place.root)).toEqual(half)
  await workspace.close()
})

test("nobody ever sees half of one", async () => {
  put(place, "one", "old\n")
  const workspace = await openAt(place)
  const before = (await workspace.snapshot()).id
  put(place, "one", "new\n")
  const after = (await workspace.snapshot()).id
  const plan = await workspace.planRestore({ steps: [{ before, after }] })
  const seen: string[] = []
  const look = () => seen.push(fs.existsSync(journalIn(place)) ? fs.readFileSync(journalIn(place), "utf8") : "none")
  for (const call of ["writeSync", "fdatasyncSync"] as const) {
    const real = fs[call] as (...given: unknown[]) => unknown
    vi.spyOn(fs, call).mockImplementation((...given: unknown[]) => {
      look()
      return real(...given) as never
    })
  }
  try {
    expect(await workspace.restore(plan)).toMatchObject({ outcome: "restored" })
  } finally {
    vi.restoreAllMocks()
  }
  expect(seen.length).toBeGreaterThan(1)
  expect(seen.filter((text) => text !== "none" && !text.endsWith("\0end"))).toEqual([])
  expect(fs.readdirSync(nodePath.dirname(journalIn(place))).filter((name) => name.startsWith("tmp-"))).toEqual([])
  await workspace.close()
})

test("one that its process ends right after it was read, and then exits, was not left behind", async () => {
  const { journal } = await cutOff()
  heldBy(journal, {
    pid: spawnSync("true").pid,
    started: "1",
    where: fs.readFileSync(journal, "utf8").split("\0").slice(-3, -1),
  })
  const half = picture(place.root)
  const workspace = await openAt(place)
  const real = fs.readFileSync
  vi.spyOn(fs, "readFileSync").mockImplementation((...given: Parameters<typeof real>) => {
    const read = real(...given)
    if (given[0] === journal) fs.rmSync(journal)
    return read
  })
  try {
    expect(await workspace.recover()).toEqual({ outcome: "nothing" })
  } finally {
    vi.restoreAllMocks()
  }
  expect(picture(place.root)).toEqual(half)
  await workspace.close()
})

/** Rewrites who carries it out: the process's number and start come fourth, its machine and namespace last. */
function heldBy(journal: string, holder: { pid: number; started: string; where: string[] }): void {
  const fields = fs.readFileSync(journal, "utf8").split("\0")
  fields.splice(3, 2, String(holder.pid), holder.started)
  fields.splice(-3, 2, ...holder.where)
  fs.writeFileSync(journal, fields.join("\0"))
}

test.each([
  ["on another machine", ["elsewhere", "0123456789ab"]],
  ["in another container on this machine", [os.hostname(), "0123456789ab"]],
])("one %s is not touched as long as its heart beats, whatever its process's number is here", async (_, where) => {
  const { journal, start } = await cutOff()
  let now = Date.now()
  const workspace = await openAt(place, { clock: () => now })
  const plan = await workspace.planRestore({ steps: [] })
  const half = picture(place.root)
  for (const pid of [process.pid, spawnSync(process.execPath, ["-e", ""]).pid]) {
    heldBy(journal, { pid, started: "1", where })
    now += 120_000
    fs.utimesSync(journal, now / 1000, now / 1000)
    now += 59_000
    const busy = { failure: { code: "session-busy", pid } }
    await expect(workspace.recover()).rejects.toMatchObject(busy)
    await expect(workspace.restore(plan)).rejects.toMatchObject(busy)
  }
  expect(picture(place.root)).toEqual(half)
  now += 2_000
  expect(await workspace.recover()).toMatchObject({ outcome: "rolled-back", left: [] })
  expect(picture(place.root)).toEqual(start)
  await workspace.close()
})

test("one of an older version, which does not say where its process is, is put back once that process is gone", async () => {
  const { journal, start } = await cutOff()
  asVersion2Would(journal)
  const other = spawn(process.execPath, ["-e", "process.stdin.resume()"])
  heldBy(journal, { pid: other.pid ?? 0, started: "", where: [] })
  const workspace = await openAt(place)
  await expect(workspace.recover()).rejects.toMatchObject({ failure: { code: "session-busy", pid: other.pid } })
  other.kill("SIGKILL")
  await once(other, "exit")
  expect(await workspace.recover()).toMatchObject({ outcome: "rolled-back", left: [] })
  expect(picture(place.root)).toEqual(start)
  await workspace.close()
})

/** That version gave the old content a second name, and renamed the new over it: it never took the file away. */
function asVersion2Would(journal: string): void {
  fs.writeFileSync(journal, fs.readFileSync(journal, "utf8").replace(/^retcon restore \d+/, "retcon restore 2"))
  const aside = fs.readdirSync(place.root).find((name) => name.endsWith("-1-old")) ?? ""
  fs.linkSync(nodePath.join(place.root, aside), nodePath.join(place.root, "two"))
}

test("the heart of a restore beats until it ends, and no longer", async () => {
  put(place, "one", "old\n")
  let now = Date.now()
  const workspace = await openAt(place, { clock: () => now })
  const before = (await workspace.snapshot()).id
  put(place, "one", "new\n")
  const after = (await workspace.snapshot()).id
  const plan = await workspace.planRestore({ steps: [{ before, after }] })
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  try {
    const beats: number[] = []
    const record = async () => {
      for (let beat = 0; beat < 3; beat++) {
        now += 30_000
        vi.advanceTimersByTime(30_000)
        beats.push(Math.round(fs.statSync(journalIn(place)).mtimeMs) - now)
      }
    }
    expect(await workspace.restore(plan, { record })).toMatchObject({ outcome: "restored" })
    expect(beats).toEqual([0, 0, 0])
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
  await workspace.close()
})

function journalIn({ home }: Place): string {
  const stores = nodePath.join(home, "workspaces")
  const [store = ""] = fs.readdirSync(stores)
  return nodePath.join(stores, store, "restore.journal")
}
