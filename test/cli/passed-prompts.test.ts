// An agent that goes back past the person's prompts, as the command line shows it.
import { expect, test } from "vitest"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { makeStage, round } from "./stage.ts"

async function wentBack() {
  const stage = makeStage()
  const session = await stage.session()
  await session.append([promptDraft("Rename parse"), { type: "checkpoint", n: 0 }, answerDraft("Renamed.")])
  await round(session, "Write the tests", "14 tests.")
  await session.append([promptDraft("Now run them"), promptDraft("With Node 22", { origin: "steer" })])
  await session.backtrack({ checkpoint: 0, note: "The tests need Node 20." })
  await session.append(answerDraft("All green."))
  await session.close()
  return stage
}

test("prompts lists them all, and says which the agent left", async () => {
  const stage = await wentBack()
  const { out } = await stage.retcon("prompts")
  expect(out).toMatchInlineSnapshot(`
    "@1  d23394   now  Rename parse
     -  3091f2   now  Write the tests  (left by the agent's Backtrack)
     -  c42586   now  Now run them  (left by the agent's Backtrack)
     +  8eef50   now  With Node 22
    "
  `)
  const listed = JSON.parse((await stage.retcon("prompts --json")).out) as { text: string; round: number | null }[]
  expect(listed).toMatchObject([
    { text: "Rename parse", round: 1 },
    { text: "Write the tests", round: null, passed: true },
    { text: "Now run them", round: null, passed: true, steer: [{ text: "With Node 22" }] },
  ])
})

test("show names them with the note, and back returns to before the last one and says so", async () => {
  const stage = await wentBack()
  expect((await stage.retcon("show")).out).toMatchInlineSnapshot(`
    "Rename parse · session 0869ca

    @1 you                                                         d23394 · just now
    Rename parse

    ◇ note from its future self, discards 5 messages               58b91a · just now
    The tests need Node 20.

    2 prompts of yours, left by the agent's Backtrack:
      3091f2  Write the tests
      c42586  Now run them

    agent                                                          ec4dae · just now
    All green.

    "
  `)
  const back = await stage.retcon("back")
  expect(back.exit).toBe(0)
  expect(back.out).toMatchInlineSnapshot(`
    "Went back 1 round. 1 message left behind, nothing is lost, 3 messages came back.
    Now at fa5bbc, agent: 14 tests.
    The agent's Backtrack had left this prompt behind. The conversation is as it was
    before you sent it.

    Your prompt, to edit and send again:

      Now run them

    Take this back with: retcon undo
    "
  `)
  expect((await stage.retcon("prompts")).out).not.toContain("Backtrack")
  await stage.retcon("undo")
  expect((await stage.retcon("prompts")).out).toContain("Now run them  (left by the agent's Backtrack)")
})

test("a Markdown export has them in the agent's note", async () => {
  const stage = await wentBack()
  const { out } = await stage.retcon("export")
  expect(out).toContain(
    "You had said (left by the agent's Backtrack):\n\n> Write the tests\n\n> Now run them\n\n> With Node 22\n",
  )
})
