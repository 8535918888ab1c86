// What a person types while something runs: it comes back once, their own commands can be stopped, and order is kept.
import { expect, test } from "vitest"
import { bash } from "../app/talk.ts"
import { type ScriptedAnswer, scriptedModel } from "../test-host.ts"
import { makeStage, plainTalk, type Stage } from "./stage.ts"

function stageWith(answers: ScriptedAnswer[]): Promise<Stage> {
  const model = scriptedModel(answers)
  return makeStage({ rows: 40, host: { model: async () => model } })
}

/** What stands between the two lines of the editor. */
const edited = (stage: Stage) =>
  stage
    .text()
    .split(/─{20,}/)
    .at(-2)
    ?.replace("❯", "")
    .trim()
    .split(/\s*\n\s*/)

async function withTwoQueued(): Promise<Stage> {
  const stage = await stageWith([{ text: "Before." }, bash("echo started; sleep 60")])
  stage.enter("zero")
  await stage.idle(1)
  stage.enter("go")
  await stage.sees("started")
  stage.enter("first wish")
  stage.enter("second wish")
  await stage.sees(/queued: first wish[\s\S]*queued: second wish/)
  return stage
}

test.each(["escape", "alt+up"] as const)(
  "%s: each queued message comes back once, in order, before the draft",
  async (key) => {
    const stage = await withTwoQueued()
    stage.type("a draft")
    stage.press(key)
    await stage.sees(/first wish\s*\n\s*second wish\s*\n\s*a draft/)
    expect(edited(stage)).toEqual(["first wish", "second wish", "a draft"])
    await stage.until(() => !stage.text().includes("queued:"))
  },
)

test("/back while messages wait: the prompt and they come back together", async () => {
  const stage = await withTwoQueued()
  stage.enter("/back")
  await stage.sees("Went back one round")
  await stage.sees(/go\s*\n\s*first wish\s*\n\s*second wish/)
  expect(edited(stage)).toEqual(["go", "first wish", "second wish"])
})

test("/undo of that leaves only what the conversation does not contain, and /redo brings the prompt back", async () => {
  const stage = await withTwoQueued()
  stage.enter("/back")
  await stage.sees(/go\s*\n\s*first wish\s*\n\s*second wish/)
  stage.enter("/undo")
  await stage.sees("Undone: going back")
  await stage.until(() => edited(stage)?.length === 2)
  expect(edited(stage)).toEqual(["first wish", "second wish"])
  stage.enter("/redo")
  await stage.sees("Redone: going back")
  await stage.until(() => edited(stage)?.length === 3)
  expect(edited(stage)).toEqual(["go", "first wish", "second wish"])
})

test("Esc stops your own command, and what it printed stays", async () => {
  const stage = await stageWith([])
  stage.enter("!echo started; sleep 60")
  await stage.sees(/; sleep 60\n +started[\s\S]*esc stops/)
  stage.press("escape")
  await stage.sees(/✗ ! echo started; sleep 60[\s\S]*started[\s\S]*ended by SIGTERM/)
  await stage.until(() => !stage.text().includes("esc stops"))
})

test("two commands at once are two blocks, each with its own output", async () => {
  const stage = await stageWith([])
  stage.enter("!echo one; while [ ! -e go ]; do sleep 0.02; done; echo first done")
  await stage.sees("  one")
  stage.enter("!echo two; touch go")
  await stage.sees("first done")
  await stage.until(() => !stage.text().includes("esc stops"))
  expect(stage.text()).toMatch(/✓ ! echo two; touch go\n {2}two/)
  expect(stage.text()).toMatch(/✓ ! echo one;[^\n]*\n {2}one\n {2}first done/)
})

test("a command beside an answer does not cut its text, and one that outlives the turn does not fail with it", async () => {
  let goOn = () => {}
  const wait = new Promise<void>((settle) => (goOn = settle))
  const model = {
    ...scriptedModel([]),
    async *step() {
      yield { type: "text-start" as const }
      yield { type: "text-delta" as const, text: "This sentence is " }
      await wait
      yield { type: "text-delta" as const, text: "whole." }
      yield { type: "text-end" as const }
      const content = [{ type: "text" as const, text: "This sentence is whole." }]
      yield { type: "finish" as const, reason: "stop" as const, content, usage: {} }
    },
  }
  const stage = await makeStage({ rows: 40, host: { model: async () => model } })
  stage.enter("go")
  await stage.sees("This sentence is")
  stage.enter("!echo up; while [ ! -e end ]; do sleep 0.02; done; echo down")
  await stage.sees("  up")
  goOn()
  await stage.sees("This sentence is whole.")
  await stage.sees("Running your command")
  stage.enter("!touch end")
  await stage.sees(/✓ ! echo up;[^\n]*\n {2}up\n {2}down/)
  expect(stage.text()).not.toContain("interrupted")
  expect(stage.text().indexOf("whole.")).toBeLessThan(stage.text().indexOf("✓ ! echo up"))
})

test("left before its first prompt, a session is still the one to continue, and /resume lists it", async () => {
  const first = await stageWith([{ text: "Said." }])
  first.enter("first words")
  await first.idle(1)
  first.enter("/goto @1")
  await first.sees("Went to @1")
  first.press("ctrl+c", "ctrl+d")
  await first.ended
  const sessions = async () => (await first.host.host.list()).sessions.map(({ id, prompts }) => ({ id, prompts }))
  const [left] = await sessions()
  expect(left).toMatchObject({ prompts: 0 })
  const other = await makeStage({ with: first.host, rows: 40 })
  other.enter("/resume")
  await other.sees(/0 prompts/)
  other.press("enter")
  await other.sees(/before the first prompt/)
  other.press("ctrl+d")
  await other.ended
  const plain = await plainTalk(
    first.host,
    [
      ["retcon in", "/undo"],
      ["Moved.", "/goto @1"],
      ["Moved.", "/quit"],
    ],
    { kind: "continue" },
  )
  expect(plain).toContain("Last prompt: first words")
  const again = await makeStage({ with: first.host, rows: 40, parts: { start: { kind: "continue" } } })
  again.enter("/undo")
  await again.sees("Said.")
  again.press("ctrl+d")
  await again.ended
  expect(await sessions()).toHaveLength(1)
})
