import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { systemOptions } from "../../src/session/state/system.ts"
import { scriptedModel } from "../test-host.ts"
import { until } from "../within.ts"
import { makeStage, type Stage } from "./stage.ts"

/** What follows this line on the screen, up to the next blank one. */
function under(stage: Stage, start: string): string[] {
  const all = stage.all()
  const from = all.findLastIndex((line) => line.startsWith(start))
  return from === -1 ? [] : all.slice(from, all.indexOf("", from))
}

async function again(before: Stage, round: number): Promise<Stage> {
  const parts = { start: { kind: "continue" as const }, host: before.host.elsewhere() }
  const stage = await makeStage({ rows: 60, with: before.host, parts })
  await stage.idle(round)
  return stage
}

test("a reopened session shows the diffs of edits as they were shown when they happened", async () => {
  const stage = await makeStage({ rows: 60 })
  stage.enter('create a.txt with "one\\ntwo\\nthree" then change two to 2 in a.txt')
  await stage.sees("2 + 2")
  await stage.idle(1)
  const reopened = await again(stage, 1)
  await reopened.sees("✓ Edit a.txt")
  expect(under(reopened, "✓ Write")).toEqual(under(stage, "✓ Write"))
  expect(under(stage, "✓ Edit")).toContain("  2 - two")
  // The log does not hold the lines around an edit.
  expect(under(reopened, "✓ Edit")).toEqual(["✓ Edit a.txt", "  2 - two", "  2 + 2"])
})

test("going back shows the diff of the round before too", async () => {
  const stage = await makeStage({ rows: 60 })
  stage.enter("create a.txt with hello")
  await stage.idle(1)
  stage.enter("change hello to bye in a.txt")
  await stage.sees("1 + bye")
  await stage.idle(2)
  stage.enter("say three")
  await stage.idle(3)
  stage.enter("/back")
  await stage.sees(/Went back one round.*1 - hello\n.*1 \+ bye/s)
})

test("a reopened session shows the output of the person's own commands, and which failed", async () => {
  const stage = await makeStage({ rows: 60 })
  stage.enter("say one")
  await stage.idle(1)
  stage.enter("!echo from the shell")
  await stage.sees("✓ ! echo from the shell")
  stage.enter("!echo oops; exit 3")
  await stage.sees("(exit code 3)")
  // It is shown when it ends, and recorded a moment later.
  const [listed] = (await stage.host.host.list()).sessions
  await until(() => readFileSync(listed?.file ?? "", "utf8").includes("exit code 3"))
  const reopened = await again(stage, 1)
  await reopened.sees("(exit code 3)")
  for (const start of ["✓ ! echo from the shell", "✗ ! echo oops"]) {
    expect(under(stage, start).length).toBeGreaterThan(1)
    expect(under(reopened, start)).toEqual(under(stage, start))
  }
})

test("a reopened session says how long a command took", async () => {
  let now = Date.UTC(2026, 0, 1)
  const model = scriptedModel([
    { calls: [{ name: "Bash", input: { command: "touch on; while [ -e on ]; do sleep 0.02; done" } }] },
    { text: "Done." },
  ])
  const session = { ...systemOptions(), now: () => new Date(now).toISOString() }
  const host = { mode: "yolo" as const, model: async () => model, session }
  const stage = await makeStage({ rows: 60, host, parts: { now: () => now, elapsed: () => now } })
  stage.enter("go")
  const on = join(stage.host.root, "on")
  await until(() => existsSync(on))
  now += 72_000
  rmSync(on)
  await stage.sees("done · 1 min 12 s")
  await stage.idle(1)
  const reopened = await again(stage, 1)
  await reopened.sees("done · 1 min 12 s")
})

test("a reopened session says which files a command changed", async () => {
  const stage = await makeStage({ rows: 60 })
  stage.enter('create a.txt with one then run "echo two > a.txt"')
  await stage.sees("✓ Bash echo two > a.txt · modified a.txt")
  await stage.idle(1)
  const reopened = await again(stage, 1)
  await reopened.sees("✓ Bash echo two > a.txt · modified a.txt")
})
