// The thinking level is on the path, as the model is: going back brings the level of before.
import { expect, onTestFinished, test, vi } from "vitest"
import { FileLog } from "../../src/store/file/log/log.ts"
import { VENDORS } from "../provider/fakes/vendors.ts"
import { talk } from "./talk.ts"
import { wireHost } from "./wire.ts"

const effort = (body: unknown) => (body as { output_config?: { effort?: string } }).output_config?.effort

test("a level counts from where it was set, follows moves, and is there when the session is opened again", async () => {
  const at = await wireHost(VENDORS.bound)
  const { session } = await at.open()
  at.say({ text: "One." }, { text: "Two." }, { text: "Three." }, { text: "Four." })
  await session.send({ text: "one" })
  await session.setThinking("low")
  await session.send({ text: "two" })
  expect(session.status().thinking).toBe("low")
  await session.goto("@2")
  await session.undo()
  await session.close()
  const again = await at.open(session.id)
  await again.session.send({ text: "three" })
  await again.session.goto("@1")
  await again.session.send({ text: "from the start" })
  expect(at.server.bodies.map(effort)).toEqual([undefined, "low", "low", undefined])
  expect(at.server.refused).toEqual([])
})

test("what the command line asks for counts until a level is set", async () => {
  const at = await wireHost(VENDORS.bound, { askedThinking: "high" })
  const { session } = await at.open()
  at.say({ text: "One." }, { text: "Two." })
  await session.send({ text: "one" })
  await session.setThinking("medium")
  await session.send({ text: "two" })
  expect(at.server.bodies.map(effort)).toEqual(["high", "medium"])
})

test("OpenAI is told which conversation it is, for its prompt cache", async () => {
  const at = await wireHost(VENDORS.responses)
  const { session } = await at.open()
  at.say({ text: "One." })
  await session.send({ text: "one" })
  expect(at.body(0).prompt_cache_key).toBe(session.id)
})

test("a level or a model that was chosen survives a power cut", async () => {
  const { session } = await talk([]).open()
  const append = vi.spyOn(FileLog.prototype, "append")
  onTestFinished(() => append.mockRestore())
  await session.setThinking("low")
  await session.setModel("practice")
  expect(append.mock.calls).toMatchObject([
    [[{ type: "state", key: "thinking", value: "low" }], { durability: "sync" }],
    [[{ type: "state", key: "model" }], { durability: "sync" }],
  ])
})
