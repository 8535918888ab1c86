// The items of a run of the OpenAI Agents SDK, as its runner stores and reads them.
import { expect, test } from "vitest"
import { retconSession } from "../../src/builders/openai-agents.ts"
import { openSession } from "../../src/session/session.ts"
import { newSession, outcome, told } from "../session/new-session.ts"

const user = (text: string) => ({ type: "message", role: "user", content: text })
const agent = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] })
const call = (callId: string) => ({ type: "function_call", callId, name: "write", arguments: '{"path":"a"}' })
const result = (callId: string) => ({
  type: "function_call_result",
  callId,
  name: "write",
  output: { type: "text", text: "ok" },
})

test("items come back as they were, one at a time, and undo brings back what was removed", async () => {
  const { session, store } = await newSession("file")
  const memory = retconSession(session)
  await memory.addItems([user("one"), agent("reply 1")])
  const second = [user("write two"), call("c1"), call("c2"), result("c1"), result("c2"), agent("reply 2")]
  await memory.addItems(second)
  expect(await memory.getItems()).toEqual([user("one"), agent("reply 1"), ...second])
  expect(await memory.getItems(2)).toEqual(second.slice(-2))
  expect(await memory.getItems(0)).toEqual([])
  for (const item of second.toReversed()) expect(await memory.popItem()).toEqual(item)
  expect(told(session)).toBe("one > reply 1")
  for (let i = 0; i < second.length; i++) await session.undo()
  expect(await memory.getItems()).toHaveLength(8)
  await memory.clearSession()
  expect([await memory.getItems(), await memory.popItem()]).toEqual([[], undefined])
  await session.undo()
  await session.close()
  await using again = await openSession(store, session.id)
  expect(await retconSession(again).getItems()).toHaveLength(8)
})

test("after Back the next run gets the rewound conversation; what a run brings late is refused", async () => {
  const { session } = await newSession()
  const memory = retconSession(session)
  await memory.addItems([user("one"), agent("reply 1"), user("two"), agent("reply 2")])
  expect(outcome(await session.back())).toBe("moved")
  expect(await memory.getItems()).toEqual([user("one"), agent("reply 1")])
  await memory.addItems([user("another two")])
  await memory.getItems()
  await session.undo()
  await expect(memory.addItems([agent("late")])).rejects.toMatchObject({ code: "moved-elsewhere" })
  expect(told(session)).toBe("one > reply 1")
})
