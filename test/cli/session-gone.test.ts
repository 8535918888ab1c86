// The file of a session is deleted, cut or replaced while `run` works on it: it is told, and what can be kept is kept.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { Bench } from "./bench.ts"

const LOG = "f=$(ls ../home/sessions/*/*.jsonl)"

async function runs(command: string) {
  const bench = new Bench()
  const ran = await bench.run([
    "run",
    "--model",
    "practice",
    "--mode",
    "yolo",
    "--sandbox",
    "off",
    `run ${LOG}; ${command}`,
  ])
  const logs = existsSync(bench.home)
    ? readdirSync(bench.home, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"))
    : []
  return { bench, ...ran, logs, text: () => readFileSync(join(bench.home, logs[0] ?? ""), "utf8") }
}

test("deleted: all that was said is in the trash, and the hint brings it back", async () => {
  const { bench, exit, err, logs } = await runs("rm $f; echo gone")
  expect(exit).toBe(1)
  expect(logs).toEqual([expect.stringMatching(/^trash\//)])
  const hint = /was deleted while it was in use\.\n {2}.*Restore it with: retcon (rm --restore \S+)\n/.exec(err)
  expect(hint).not.toBeNull()
  expect(await bench.run((hint?.[1] ?? "").split(" "))).toMatchObject({ exit: 0 })
  const { out } = await bench.run(["show"])
  expect(out).toContain("echo gone")
  expect(out).toContain("→ gone")
  expect((await bench.run(["run", "--model", "practice", "-c", "help"])).exit).toBe(0)
})

test.each([
  ["cut to nothing", "truncate -s 0 $f"],
  ["cut in the middle", "truncate -s 600 $f"],
  ["overwritten", "echo hello > $f"],
])("%s: the turn ends and says so, and nothing is added in the wrong place", async (_, command) => {
  const { exit, err, text } = await runs(command)
  expect(exit).toBe(1)
  expect(err).toMatch(/retcon: Another program cut .* short or overwrote it while it was in use/)
  expect(text()).not.toContain('"role":')
})

test("another file in its place is not written to, and what was said is in the trash", async () => {
  const { exit, err, logs, bench } = await runs("echo hello > x; mv x $f")
  expect(exit).toBe(1)
  expect(err).toContain("retcon rm --restore")
  const [mine, theirs] = [
    logs.find((name) => name.startsWith("trash/")),
    logs.find((name) => !name.startsWith("trash/")),
  ]
  expect(readFileSync(join(bench.home, theirs ?? ""), "utf8")).toBe("hello\n")
  expect(readFileSync(join(bench.home, mine ?? ""), "utf8")).toContain('"role":"tool"')
})

test("with the whole home gone it says so and makes no new one", async () => {
  const { exit, err, bench } = await runs("rm -rf ../home")
  expect(exit).toBe(1)
  expect(err).toContain("is no longer there")
  expect(existsSync(join(bench.home, "trash"))).toBe(false)
})

test("a last line that was cut is no reason to stop: the conversation goes on", async () => {
  const { exit, text } = await runs("truncate -s -20 $f")
  expect(exit).toBe(0)
  expect(text()).toContain('"role":"tool"')
})
