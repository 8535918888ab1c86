import { expect, test } from "vitest"
import type { ModelMessage } from "../../../src/provider/port/port.ts"
import { Talk, textOf } from "./talk.ts"

const REQUEST = `Summarise the conversation so far, for the compaction of the context. Use these sections:
Goal, Constraints, Done, In progress, Decisions, Next step, Files read, Files changed.`

const user = (...texts: string[]): ModelMessage => ({
  role: "user",
  content: texts.map((text) => ({ type: "text", text })),
})

async function summaryOf(talk: Talk): Promise<string> {
  return textOf((await talk.ask([...talk.messages, user(REQUEST)])).content)
}

function compacted(summary: string): ModelMessage {
  return user("<system>Previous context has been compacted. Here is the compaction output:</system>", summary)
}

test("a summary names the goal, what was done, and the files", async () => {
  const talk = new Talk({ "b.txt": "x" })
  await talk.prompt("create a.txt with hi, then read b.txt")
  const summary = await summaryOf(talk)
  expect(summary).toContain("## Goal\n- create a.txt with hi, then read b.txt")
  expect(summary).toContain("Created a.txt.")
  expect(summary).toContain("## In progress\n- none")
  expect(summary).toContain("## Files read\n- b.txt")
  expect(summary).toContain("## Files changed\n- a.txt")
})

test("what is not done yet is done after a compaction in mid-turn", async () => {
  const talk = new Talk()
  talk.messages.push(user('run one, then create b.txt with "two\nlines", then run three'))
  await talk.step()
  talk.messages = [compacted(await summaryOf(talk))]
  await talk.finish()
  expect(talk.calls.map((call) => call.name)).toEqual(["Bash", "Write", "Bash"])
  expect(talk.files.get("b.txt")).toBe("two\nlines")
})

test("with the prompt in the kept tail nothing is done twice", async () => {
  const talk = new Talk()
  talk.messages.push(user("run one, then run two"))
  await talk.step()
  const tail = talk.messages
  talk.messages = [compacted(await summaryOf(talk)), ...tail]
  await talk.finish()
  expect(talk.calls.map((call) => call.input.command)).toEqual(["one", "two"])
})

test("a second summary carries over what the first one said", async () => {
  const talk = new Talk()
  await talk.prompt("create a.txt with hi")
  talk.messages = [compacted(await summaryOf(talk))]
  await talk.prompt("create b.txt with ho")
  const summary = await summaryOf(talk)
  expect(summary).toContain("## Files changed\n- a.txt\n- b.txt")
  expect(summary).toContain("Created a.txt.")
})

test("an exploration cut short by a compaction is not started again", async () => {
  const talk = new Talk({ "a.txt": "one", "b.txt": "two" })
  talk.messages.push(user("explore, then run ls"))
  await talk.step()
  await talk.step()
  talk.messages = [compacted(await summaryOf(talk))]
  await talk.finish()
  expect(talk.calls.map((call) => call.name)).toEqual(["Glob", "Read", "Read", "Bash"])
})
