// What a person types while the agent runs.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { prompts } from "../../src/history/tree/tree.ts"
import type { SendAnswer } from "../../src/protocol/host.ts"
import type { StepRequest } from "../../src/provider/port/port.ts"
import { textOf } from "../test-host.ts"
import { bash, shape, talk, until } from "./talk.ts"

const UNTIL_GO = "echo; until [ -e go ]; do sleep 0.02; done"
const typed = (request: StepRequest | undefined) => textOf(request).match(/\b(first|second|third) wish\b/g) ?? []

test("it is given at the next step, in order, as steering and not as a prompt", async () => {
  const { open, model, root } = talk([bash(UNTIL_GO), { text: "Done." }])
  const { session, events } = await open()
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "tool-delta")
  const wishes = [session.send({ text: "first wish" }), session.send({ text: "second wish" })]
  writeFileSync(join(root, "go"), "")
  const answers = await Promise.all(wishes)
  expect(answers).toMatchObject([{ outcome: "steered" }, { outcome: "steered" }])
  expect(await sent).toMatchObject({ outcome: "done" })
  expect(typed(model.requests[0])).toEqual([])
  expect(typed(model.requests[1])).toEqual(["first wish", "second wish"])
  expect(prompts(session.history, session.head)).toHaveLength(1)
  const given = events.flatMap((event) => (event.type === "steer-given" ? [event.entry] : []))
  expect(given).toEqual(answers.map((answer) => (answer as { entry: string }).entry))
  expect((await shape(session)).slice(3, 6)).toEqual(["tool: tool-result", "user: text", "user: text text"])
})

test("it can be taken back until then, the newest first", async () => {
  const { open, model, root } = talk([bash(UNTIL_GO), { text: "Done." }])
  const { session } = await open()
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "tool-delta")
  const wishes = [session.send({ text: "first wish" }), session.send({ text: "second wish" })]
  expect(await session.unsend()).toEqual({ text: "second wish" })
  writeFileSync(join(root, "go"), "")
  expect(await Promise.all(wishes)).toMatchObject([{ outcome: "steered" }, { outcome: "withdrawn" }])
  await sent
  expect(typed(model.requests[1])).toEqual(["first wish"])
  expect(await session.unsend()).toBeUndefined()
})

test("what waits when the turn is stopped, or left by a move, is named by the end of the turn and by the stop", async () => {
  for (const how of ["stop", "back"] as const) {
    const { open } = talk([{ text: "Zero." }, bash("echo; sleep 60")])
    const { session, events } = await open()
    await session.send({ text: "zero" })
    const sent = session.send({ text: "go" })
    await until(session, ({ type }) => type === "tool-delta")
    const wishes = [session.send({ text: "first wish" }), session.send({ text: "second wish" })]
    const answer = await session[how]()
    if (how === "stop") expect(answer).toEqual({ stopped: true, returned: ["first wish", "second wish"] })
    expect(await Promise.all(wishes)).toMatchObject([{ outcome: "withdrawn" }, { outcome: "withdrawn" }])
    await sent
    const end = events.findLast(({ type }) => type === "turn-end")
    expect(end).toMatchObject({ outcome: "stopped", returned: ["first wish", "second wish"] })
  }
})

test("typed while the last answer streams, it is answered in the same turn", async () => {
  let answered = () => {}
  const wait = new Promise<void>((settle) => {
    answered = settle
  })
  const { open, model } = talk(async (_, n) => {
    if (n === 0) await wait
    return { text: n === 0 ? "Done." : "And that too." }
  })
  const { session } = await open()
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "step-start")
  const wish = session.send({ text: "first wish" })
  answered()
  expect(await wish).toMatchObject({ outcome: "steered" })
  expect(await sent).toMatchObject({ outcome: "done" })
  expect(typed(model.requests[1])).toEqual(["first wish"])
})

test("typed when the turn is just ending, it becomes the next prompt and is answered", async () => {
  const { open, model } = talk([{ text: "Done." }, { text: "And that too." }])
  const { session } = await open()
  const wished = new Promise<SendAnswer>((settle, fail) => {
    const forget = session.on(({ event }) => {
      if (event.type !== "step-end") return
      forget()
      // After the last look at what waits, while the files are still being looked at.
      setImmediate(() => void session.send({ text: "first wish" }).then(settle, fail))
    })
  })
  await session.send({ text: "go" })
  expect((await wished).outcome).toMatch(/done|steered/)
  expect(typed(model.requests.at(-1))).toEqual(["first wish"])
  expect(session.status().running).toBe(false)
})

test("when the turn is stopped before, it comes back", async () => {
  const { open } = talk([bash("echo; sleep 60")])
  const { session } = await open()
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "tool-delta")
  const wish = session.send({ text: "first wish" })
  await session.stop()
  expect(await wish).toEqual({ outcome: "withdrawn", input: { text: "first wish" } })
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect(textOf({ messages: await session.context() })).not.toContain("wish")
})

test("two prompts sent at once are a prompt and a steering, not two turns", async () => {
  const { open, model } = talk([{ text: "Done." }, { text: "Both." }])
  const { session, events } = await open()
  const answers = await Promise.all([session.send({ text: "first wish" }), session.send({ text: "second wish" })])
  expect(answers).toMatchObject([{ outcome: "done" }, { outcome: "steered" }])
  expect(events.filter(({ type }) => type === "turn-start")).toHaveLength(1)
  expect(typed(model.requests[0])).toEqual(["first wish", "second wish"])
})

test("the output of the person's own command waits for the end of the turn, and separates no call from its result", async () => {
  const { open, model } = talk([bash(UNTIL_GO), { text: "Done." }, { text: "I see." }])
  const { session } = await open()
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "tool-delta")
  const ran = session.send({ text: "echo mine; touch go", shell: true })
  await Promise.all([sent, ran])
  expect((await shape(session)).slice(1)).toEqual([
    "user: text text",
    "assistant: tool-call",
    "tool: tool-result text",
    "assistant: text",
    "user: text",
  ])
  await session.send({ text: "what did I run?" })
  expect(textOf(model.requests.at(-1))).toContain("$ echo mine; touch go\nmine")
})
