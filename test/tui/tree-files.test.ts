import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { systemOptions } from "../../src/session/state/system.ts"
import { makeStage, type Stage } from "./stage.ts"

async function twoRounds(first: string, second: string): Promise<Stage> {
  const stage = await makeStage({ rows: 40, host: { session: { ...systemOptions(), files: "restore" } } })
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

test.each([
  ["m", "mine"],
  ["o", "one"],
  ["b", "<<<<<<<"],
])("if both changed the same lines, %s says which version stays, in /goto as in /tree", async (key, holds) => {
  const stage = await twoRounds("create a.txt with one", "change one to two in a.txt")
  const file = join(stage.host.root, "a.txt")
  writeFileSync(file, "mine")
  stage.enter("/goto head~1")
  await stage.sees("  conflict  a.txt  you and the agent changed the same lines")
  stage.press("escape")
  await stage.sees('Try again with one of these: "Keep mine"')
  expect(readFileSync(file, "utf8")).toBe("mine")
  stage.enter("/tree")
  await stage.sees("go there")
  stage.press("down", "enter")
  await stage.sees(/m {2}Keep mine[\s\S]*o {2}Put old lines back[\s\S]*b {2}Write both/)
  stage.type(key)
  await stage.sees("Went there")
  expect(readFileSync(file, "utf8")).toContain(holds)
})
