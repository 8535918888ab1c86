import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { systemParts } from "../../src/session/system.ts"
import { makeStage, type Stage } from "./stage.ts"

async function twoRounds(first: string, second: string): Promise<Stage> {
  const stage = await makeStage({ rows: 40, host: { session: { ...systemParts(), files: "restore" } } })
  stage.enter(first)
  await stage.idle(1)
  stage.enter(second)
  await stage.idle(2)
  return stage
}

test("the setting for files holds for Enter in /tree and in /branches, as for /goto", async () => {
  const stage = await twoRounds("create a.txt with one", "create b.txt with two")
  const b = join(stage.host.root, "b.txt")
  stage.enter("/tree")
  await stage.sees("go there")
  stage.press("down", "enter")
  await stage.sees("Went there")
  await stage.sees("round 1 of 2")
  expect(existsSync(b)).toBe(false)
  stage.enter("say elsewhere")
  await stage.sees("2 branches")
  await stage.idle(2)
  stage.enter("/branches")
  await stage.sees("switch to it")
  stage.press("down", "enter")
  await stage.sees("Switched to another branch")
  expect(existsSync(b)).toBe(true)
})

test("a refusal in /tree says what to do, as that of /goto does", async () => {
  const stage = await twoRounds("create a.txt with one", "change one to two in a.txt")
  writeFileSync(join(stage.host.root, "a.txt"), "mine")
  stage.enter("/goto head~1")
  await stage.sees("--ours keeps such lines")
  stage.enter("/tree")
  await stage.sees("go there")
  stage.press("down", "enter")
  await stage.sees(/Nothing was\s+touched\.\s+--ours keeps such lines/)
})
