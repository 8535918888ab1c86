// A chat route for `useChat` of the AI SDK, with a tree behind it. Its model is a script here; with the SDK, `answer` is
//   streamText({ model, messages: await convertToModelMessages(messages), abortSignal: chat.signal })
//     .toUIMessageStreamResponse({ originalMessages: messages, generateMessageId, onFinish: chat.onFinish })
// Run it with: npx tsx examples/ai-sdk.ts
import { createSession, memoryStore } from "retcon"
import { type ChatRequest, retconChat } from "retcon/ai-sdk"

interface Message {
  id: string
  role: "user" | "assistant"
  parts: { type: "text"; text: string }[]
}

const said = (id: string, role: Message["role"], text: string): Message => ({
  id,
  role,
  parts: [{ type: "text", text }],
})
const show = (title: string, messages: readonly Message[]) =>
  console.log(`${title}: ${messages.map(({ parts }) => parts[0]?.text).join(" / ")}`)

await using session = await createSession(memoryStore(), { cwd: "/project", made: { name: "chat", version: "1" } })
const chat = retconChat<Message>(session)
let answers = 0

async function route(request: ChatRequest<Message>): Promise<Message[]> {
  const messages = await chat.receive(request)
  show("the model gets", messages)
  const n = ++answers
  await chat.onFinish({ responseMessage: said(`a${n}`, "assistant", `answer ${n}`) })
  return chat.messages()
}

let client = await route({ trigger: "submit-message", messages: [said("u1", "user", "one")] })
client = await route({ trigger: "submit-message", messages: [...client, said("u2", "user", "two")] })
client = await route({ trigger: "regenerate-message", messageId: "a2", messages: client.slice(0, -1) })
console.log(`answers to "two": ${chat.versions("a3").length}`)
const edited = said("u2", "user", "two, edited")
client = await route({ trigger: "submit-message", messageId: "u2", messages: [...client.slice(0, 2), edited] })
show("shown", client)
// The edit was a move and a prompt: two steps back, and the person is where they were.
await session.undo()
await session.undo()
show("undone", chat.messages())
