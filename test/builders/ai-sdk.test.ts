// What a chat route does with `useChat`, on the shapes of the AI SDK's messages.
import { array, assert, asyncProperty, constantFrom, nat, record } from "fast-check"
import { expect, test } from "vitest"
import { type ChatMessage, type RetconChat, retconChat } from "../../src/builders/ai-sdk.ts"
import { openSession, type Session } from "../../src/session/session.ts"
import { newSession, outcome, told } from "../session/new-session.ts"

type Part = { type: string } & Record<string, unknown>
interface Message extends ChatMessage {
  parts: Part[]
}

const said = (id: string, role: Message["role"], text: string): Message => ({
  id,
  role,
  parts: [{ type: "text", text }],
})
const shown = (messages: readonly Message[]) =>
  messages
    .map(({ parts }) => parts.map(({ text, type }) => (typeof text === "string" ? text : type)).join("+"))
    .join(" | ")

/** One request of a client that sends all of its messages, and the answer to it. */
async function submit(chat: RetconChat<Message>, prompt: Message, answer: Message, isAborted = false): Promise<string> {
  const before = chat.messages()
  const at = before.findIndex(({ id }) => id === prompt.id)
  const kept = at < 0 ? before : before.slice(0, at)
  const messageId = at < 0 ? undefined : prompt.id
  const sent = await chat.receive({ trigger: "submit-message", messageId, messages: [...kept, prompt] })
  await chat.onFinish({ responseMessage: answer, isAborted })
  return shown(sent)
}

async function regenerate(chat: RetconChat<Message>, id: string, answer: Message): Promise<string> {
  const before = chat.messages()
  const at = before.findIndex((message) => message.id === id)
  const messages = before.slice(0, before[at]?.role === "assistant" ? at : at + 1)
  const sent = await chat.receive({ trigger: "regenerate-message", messageId: id, messages })
  await chat.onFinish({ responseMessage: answer })
  return shown(sent)
}

test("another answer and an edited prompt are branches, and undo leads back to where the person was", async () => {
  const { session } = await newSession("file")
  const chat = retconChat<Message>(session)
  await submit(chat, said("u1", "user", "one"), said("a1", "assistant", "answer 1"))
  await submit(chat, said("u2", "user", "two"), said("a2", "assistant", "answer 2"))
  expect(await regenerate(chat, "a2", said("a3", "assistant", "answer 3"))).toBe("one | answer 1 | two")
  expect(chat.versions("a3").map(({ message, shown: on }) => [message.id, on])).toEqual([
    ["a2", false],
    ["a3", true],
  ])
  expect(await submit(chat, said("u2", "user", "two, edited"), said("a4", "assistant", "answer 4"))).toBe(
    "one | answer 1 | two, edited",
  )
  const [first] = chat.versions("u2")
  await session.undo()
  expect(shown(chat.messages())).toBe("one | answer 1")
  await session.undo()
  expect(shown(chat.messages())).toBe("one | answer 1 | two | answer 3")
  await chat.show(chat.versions("a3")[0]?.entry as never)
  expect(shown(chat.messages())).toBe("one | answer 1 | two | answer 2")
  expect(first?.message.parts[0]?.text).toBe("two")
})

test("a request that is sent twice is recorded once", async () => {
  const { session } = await newSession()
  const chat = retconChat<Message>(session)
  const request = { messages: [said("u1", "user", "one")] }
  await chat.receive(request)
  await chat.receive(request)
  expect(told(session)).toBe("one")
})

test("an answer that comes after a move is dropped, and its model was told to stop", async () => {
  const { session } = await newSession()
  const chat = retconChat<Message>(session)
  await submit(chat, said("u1", "user", "one"), said("a1", "assistant", "answer 1"))
  await chat.receive({ messages: [...chat.messages(), said("u2", "user", "two")] })
  const { signal } = chat
  expect(outcome(await session.back())).toBe("moved")
  expect(signal?.aborted).toBe(true)
  await chat.onFinish({ responseMessage: said("a2", "assistant", "late") })
  expect(shown(chat.messages())).toBe("one | answer 1")
})

test("steps with tools are what a model of retcon's would read, and a tool that the client runs continues the answer", async () => {
  const { session } = await newSession()
  const chat = retconChat<Message>(session)
  const call: Part = { type: "tool-read", toolCallId: "c1", state: "input-available", input: { path: "a" } }
  const first: Message = { id: "a1", role: "assistant", parts: [{ type: "step-start" }, call] }
  await submit(chat, said("u1", "user", "look"), first)
  const done: Message = {
    ...first,
    parts: [first.parts[0] as Part, { ...call, state: "output-available", output: "x" }],
  }
  await chat.receive({ trigger: "submit-message", messageId: "a1", messages: [...chat.messages().slice(0, -1), done] })
  const whole = { ...done, parts: [...done.parts, { type: "step-start" }, { type: "text", text: "It has x." }] }
  await chat.onFinish({ responseMessage: whole })
  expect(told(session)).toBe("look > tool-call c1 > tool-result c1 > It has x.")
  expect(chat.messages()).toEqual([said("u1", "user", "look"), whole])
  expect(chat.versions("a1").map(({ message }) => message)).toEqual([whole])
  await submit(chat, said("u2", "user", "again"), said("a2", "assistant", "answer 2"))
  expect(session.context().map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
    "assistant",
  ])
})

/** A conversation as arrays: what is shown, and what undo leads back to. */
class Plain {
  path: readonly string[] = []
  #undos: (readonly string[])[] = []
  #open = false

  go(to: readonly string[]): void {
    if (to.join() === this.path.join()) return
    this.#undos.push(this.path)
    this.path = to
    this.#open = false
  }
  add(text: string): void {
    if (!this.#open || text.startsWith("u")) this.#undos.push(this.path)
    this.path = [...this.path, text]
    this.#open = true
  }
  /** Never empties the conversation. */
  back(): boolean {
    const prompts = this.path.flatMap((text, i) => (text.startsWith("u") ? [i] : []))
    if (prompts.length > 1) this.go(this.path.slice(0, prompts.at(-1)))
    return prompts.length > 1
  }
  undo(): void {
    const before = this.#undos.pop()
    if (before === undefined) return
    this.path = before
    this.#open = false
  }
}

type Step = { does: "submit" | "abort" | "late" | "edit" | "regenerate" | "reload" | "back" | "undo"; at: number }
const steps = array(
  record({
    does: constantFrom<Step["does"]>(
      "submit",
      "submit",
      "abort",
      "late",
      "edit",
      "regenerate",
      "reload",
      "back",
      "undo",
    ),
    at: nat(5),
  }),
  { maxLength: 14 },
)

test("any sequence of requests and moves shows what a plain tree of arrays shows", async () => {
  await assert(
    asyncProperty(steps, async (list) => {
      const made = await newSession()
      let session: Session = made.session
      let chat = retconChat<Message>(session)
      const plain = new Plain()
      let n = 0
      for (const { does, at } of list) {
        const [u, a] = [`u${++n}`, `a${n}`]
        const chosen = plain.path.length === 0 ? undefined : (plain.path[at % plain.path.length] as string)
        const index = chosen === undefined ? 0 : plain.path.indexOf(chosen)
        if (does === "submit" || does === "abort") {
          await submit(chat, said(u, "user", u), said(a, "assistant", a), does === "abort")
          plain.add(u)
          plain.add(a)
        } else if (does === "late") {
          await chat.receive({ messages: [...chat.messages(), said(u, "user", u)] })
          await session.back()
          await chat.onFinish({ responseMessage: said(a, "assistant", a) })
          plain.add(u)
          if (!plain.back()) plain.add(a)
        } else if (does === "edit" && chosen?.startsWith("u")) {
          const id = chat.messages()[index]?.id as string
          await submit(chat, said(id, "user", u), said(a, "assistant", a))
          plain.go(plain.path.slice(0, index))
          plain.add(u)
          plain.add(a)
        } else if (does === "regenerate" && chosen !== undefined) {
          const of = chat.messages()[index] as Message
          await regenerate(chat, of.id, said(a, "assistant", a))
          plain.go(plain.path.slice(0, of.role === "user" ? index + 1 : index))
          plain.add(a)
        } else if (does === "reload") {
          await session.close()
          session = await openSession(made.store, session.id, made.parts)
          chat = retconChat<Message>(session)
        } else if (does === "back") {
          await session.back()
          plain.back()
        } else if (does === "undo") {
          await session.undo()
          plain.undo()
        }
        expect(shown(chat.messages())).toBe(plain.path.join(" | "))
      }
      await session.close()
    }),
    { numRuns: 60 },
  )
})
