// What retcon appends so that Gemini CLI continues elsewhere: the real program followed it.
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { geminiCli } from "../../../src/formats/gemini-cli/format.ts"
import { NONE } from "../../../src/history/tree/tree.ts"
import { moveContract } from "../move-contract.ts"
import { linesFile, moveTo, OPERATION, readSession } from "../read-session.ts"
import { CONTEXT, gemini, HEADER, list, TALK, user, uuid } from "./messages.ts"

const chats = (...names: string[]) => join(import.meta.dirname, "samples", "chats", ...names)

moveContract(geminiCli, [
  { path: chats("rewound.jsonl"), prompts: [], honoured: 5 },
  { path: chats("saved.jsonl"), prompts: [], honoured: 15 },
  { path: chats("compressed.jsonl"), prompts: [], honoured: 17 },
])

test("to before a prompt that a resume has left out, the way is a list: a rewind to it would empty the session", async () => {
  const lines = [user(1, "one"), gemini(2, "first"), user(3, "/two"), gemini(4, "second")]
  const resumed = list(CONTEXT, user(1, "one"), gemini(2, "first"), gemini(4, "second"))
  const read = await readSession(geminiCli, session(CONTEXT, ...lines, HEADER, list(CONTEXT), resumed))
  expect(moveTo(read, 2).$set.messages).toEqual([CONTEXT, user(1, "one"), gemini(2, "first")])
})

const session = (...lines: unknown[]) => linesFile([HEADER, ...lines])

test("back is Gemini CLI's own rewind, and forward the list of all messages", async () => {
  const path = session(CONTEXT, ...TALK)
  const read = await readSession(geminiCli, path)
  expect(moveTo(read, 2)).toMatchObject({ $rewindTo: uuid(3), retcon: { operation: OPERATION } })
  appendFileSync(path, `${JSON.stringify({ $rewindTo: uuid(3) })}\n`)
  read.session.refresh()
  const forward = moveTo(read, 4)
  expect(forward.$set.messages).toEqual([CONTEXT, ...TALK])
  appendFileSync(path, `${JSON.stringify(forward)}\n`)
  read.session.refresh()
  expect([read.history.head, read.history.id(read.history.size - 1)]).toEqual([4, OPERATION])
})

const RESPONSE = [{ functionResponse: { id: "c1", name: "write", response: { output: "done" } } }]
const CALL = { id: "c1", name: "write", args: {} }

/** The ids that are listed to go to the answer with id 3, after a rewind to before all. */
async function idsListed(...lines: object[]): Promise<string[]> {
  const path = session(user(1, "one"), ...lines, gemini(3, "did it"), { $rewindTo: uuid(1) })
  const read = await readSession(geminiCli, path)
  const { $set } = moveTo(read, read.history.rowOf(uuid(3)))
  return $set.messages.map(({ id }: { id: string }) => id)
}

test("in a list no two messages have one id: Gemini CLI keeps the second in the place of the first", async () => {
  const answer = gemini(2, "", { content: [{ text: "calling" }, { functionCall: CALL }] })
  const both = list(user(1, "one"), answer, user(2, "", { content: RESPONSE }))
  expect(await idsListed(both)).toEqual([uuid(1), uuid(2), `${uuid(2)}_response`, uuid(3)])
})

test("a result beside its call is not listed again", async () => {
  const answer = gemini(2, "calling", { toolCalls: [{ ...CALL, result: RESPONSE }] })
  expect(await idsListed(answer, user(5, "", { content: RESPONSE }))).toEqual([uuid(1), uuid(2), uuid(3)])
})

test("what Gemini CLI does not resume is refused", async () => {
  const answer = gemini(2, "calling", { toolCalls: [{ ...CALL, result: RESPONSE }] })
  const read = await readSession(geminiCli, session(CONTEXT, user(1, "one"), answer, gemini(3, "did it")))
  const problems = [NONE, 0, 2].map((row) => moveTo(read, row).problem)
  expect(problems).toEqual([
    expect.stringContaining("Before the first prompt"),
    expect.stringContaining("Before the first prompt"),
    expect.stringContaining("in one message"),
  ])
  const task = chats("3e91d15a-6798-4c0a-845e-cc8e1befb829", "5c039379-205c-403f-9c7c-e9963ca097a6.jsonl")
  expect(moveTo(await readSession(geminiCli, task), 1).problem).toContain("sub-agent")
  const document = linesFile([{ ...HEADER, messages: TALK }], "session-1.json")
  expect(moveTo(await readSession(geminiCli, document), 1).problem).toContain("cannot be appended to")
})
