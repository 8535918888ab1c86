// Attempts in the terminal: one line each while they run, their questions by name, and the table at the end.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { systemOptions } from "../../src/session/state/system.ts"
import { bash } from "../app/talk.ts"
import { makeTestHost, type ScriptedAnswer, scriptedModel } from "../test-host.ts"
import { makeStage, plainTalk, type Stage } from "./stage.ts"

/** `allow`: without asking. */
function stageWith(answers: ScriptedAnswer[], ...allow: string[]): Promise<Stage> {
  const rules = () => ({ allow, deny: [] })
  return makeStage({ rows: 40, host: { mode: "default", rules, model: async () => scriptedModel(answers) } })
}

test("each attempt has a line while it runs, and Esc stops them; what they did is a branch", async () => {
  const stage = await stageWith([bash("sleep 60")], "Bash")
  stage.enter("/explore 2 try it")
  await stage.sees(/a1 ▸ step 1 · Bash: sleep 60[\s\S]*a2 ▸ step 1 · Bash: sleep 60/)
  stage.press("escape")
  await stage.sees(/attempt +ended[\s\S]*a1 +stopped[\s\S]*a2 +stopped[\s\S]*Take one with its files: \/pick a1/)
  expect(stage.text()).not.toMatch(/▸ step/)
})

test("a question names the attempt that asks, and is answered for it alone", async () => {
  const stage = await stageWith([bash("touch one-of-them"), { text: "Done." }])
  stage.enter("/explore 2 try it")
  await stage.sees(/Allow a[12]: Bash\?/)
  const first = /Allow (a[12])/.exec(stage.text())?.[1]
  const other = first === "a1" ? "a2" : "a1"
  stage.type("y")
  await stage.sees(new RegExp(`Allow ${other}: Bash`))
  stage.type("n")
  await stage.sees(/attempt +ended[\s\S]*Take one with its files/)
  expect(stage.text()).toMatch(new RegExp(`${first} +done +1 `))
  expect(stage.text()).toMatch(new RegExp(`${other} +done +0 `))
})

test("--plain says how each ended, and /pick takes one", async () => {
  const host = makeTestHost({ mode: "autoEdit", session: { ...systemOptions(), files: "restore" } })
  const written = await plainTalk(host, [
    ["/help", "/explore"],
    ["A prompt is missing. Use: /explore 3 PROMPT", "/explore 2 create a.txt with one"],
    ["Take one with its files: /pick a1", "/pick a2"],
    ["Take this back with /undo", "/quit"],
  ])
  expect(written).toMatch(/a1 ✓ step \d+ · done/)
  expect(existsSync(join(host.root, "a.txt"))).toBe(true)
})
