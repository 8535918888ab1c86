// What goes over the wire, byte for byte.
import { afterEach, beforeEach, expect, test } from "vitest"
import type { Json } from "../../../src/model/json.ts"
import type { ModelMessage } from "../../../src/provider/port/port.ts"
import { png } from "../fakes/images.ts"
import { eventsOf, FAKES, type Fake, modelAt, READ, SECRET, user, WireServer } from "../wire/server.ts"

let server: WireServer
beforeEach(async () => {
  server = await WireServer.start()
})
afterEach(() => server.close())

const text = (value: string) => ({ type: "text" as const, text: value })
const inputText = (value: string) => ({ type: "input_text" as const, text: value })
const PICTURE = png()
const MARKED = "no such file\n\n<system>Checkpoint 1</system>"
const MARK = { cache_control: { type: "ephemeral" } }
const SCHEMA = { type: "object", properties: { path: { type: "string" } }, required: ["path"] }

/** A prompt, a step with reasoning and two calls, their results with a checkpoint, a prompt with an image. */
const CONVERSATION: ModelMessage[] = [
  { role: "system", content: [text("Be brief.")] },
  user("read a.txt and b.txt", "<system>Checkpoint 0</system>"),
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "hm", meta: { by: "anthropic", data: { anthropic: { signature: "sig-1" } } } },
      text("Reading."),
      { type: "tool-call", call: "c1", name: "Read", input: { path: "a.txt" } },
      { type: "tool-call", call: "c2", name: "Read", input: { path: "b.txt" } },
    ],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", call: "c1", name: "Read", output: "one" },
      { type: "tool-result", call: "c2", output: "no such file", error: true },
      text("<system>Checkpoint 1</system>"),
    ],
  },
  { role: "assistant", content: [text("One.")] },
  { role: "user", content: [text("and this?"), { type: "image", mediaType: "image/png", data: PICTURE }] },
]

async function bodySent(fake: Fake, messages = CONVERSATION): Promise<string> {
  server.reply(fake.reply({ text: "ok" }))
  await eventsOf(modelAt(server, fake), { messages, tools: [READ] })
  return server.requests.at(-1)?.text ?? ""
}

const CHAT_MESSAGES: Json[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: [text("read a.txt and b.txt"), text("<system>Checkpoint 0</system>")] },
  {
    role: "assistant",
    content: "Reading.",
    tool_calls: [
      { id: "c1", type: "function", function: { name: "Read", arguments: '{"path":"a.txt"}' } },
      { id: "c2", type: "function", function: { name: "Read", arguments: '{"path":"b.txt"}' } },
    ],
  },
  { role: "tool", tool_call_id: "c1", content: "one" },
  { role: "tool", tool_call_id: "c2", content: MARKED },
  { role: "assistant", content: "One." },
  {
    role: "user",
    content: [text("and this?"), { type: "image_url", image_url: { url: `data:image/png;base64,${PICTURE}` } }],
  },
]
const CHAT_TAIL = {
  tools: [{ type: "function", function: { name: "Read", description: "Reads a file.", parameters: SCHEMA } }],
  tool_choice: "auto",
  stream: true,
  stream_options: { include_usage: true },
}

test("Anthropic gets blocks, signed reasoning, and marks on the system prompt and the last two messages of ours", async () => {
  expect(await bodySent(FAKES.anthropic)).toBe(
    JSON.stringify({
      model: "claude-sonnet-4-5",
      max_tokens: 32_000,
      system: [{ ...text("Be brief."), ...MARK }],
      messages: [
        { role: "user", content: [text("read a.txt and b.txt"), text("<system>Checkpoint 0</system>")] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "sig-1" },
            text("Reading."),
            { type: "tool_use", id: "c1", name: "Read", input: { path: "a.txt" } },
            { type: "tool_use", id: "c2", name: "Read", input: { path: "b.txt" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", content: "one" },
            { type: "tool_result", tool_use_id: "c2", content: MARKED, is_error: true, ...MARK },
          ],
        },
        { role: "assistant", content: [text("One.")] },
        {
          role: "user",
          content: [
            text("and this?"),
            { type: "image", source: { type: "base64", media_type: "image/png", data: PICTURE }, ...MARK },
          ],
        },
      ],
      tools: [{ name: "Read", description: "Reads a file.", input_schema: SCHEMA }],
      tool_choice: { type: "auto" },
      stream: true,
    }),
  )
  expect(server.requests[0]).toMatchObject({ path: "/v1/messages", headers: { "x-api-key": SECRET } })
})

test("OpenAI gets chat messages, a user's content always as an array, and no reasoning of another provider", async () => {
  expect(await bodySent(FAKES.openai)).toBe(JSON.stringify({ model: "gpt-4.1", messages: CHAT_MESSAGES, ...CHAT_TAIL }))
  expect(server.requests[0]).toMatchObject({
    path: "/v1/chat/completions",
    headers: { authorization: `Bearer ${SECRET}` },
  })
})

test("a compatible server gets the same chat messages", async () => {
  expect(await bodySent(FAKES.ollama)).toBe(JSON.stringify({ model: "qwen3", messages: CHAT_MESSAGES, ...CHAT_TAIL }))
})

test("OpenAI's Responses get items, nothing kept there, and what they want back only from themselves", async () => {
  const call = (id: string, path: string) => ({
    type: "function_call",
    call_id: id,
    name: "Read",
    arguments: JSON.stringify({ path }),
  })
  const body = JSON.parse(await bodySent(FAKES.responses))
  expect(body).toMatchObject({
    model: "gpt-6.1-sol",
    store: false,
    include: ["reasoning.encrypted_content"],
    stream: true,
  })
  expect(body.input).toEqual([
    { role: "developer", content: "Be brief." },
    { role: "user", content: [inputText("read a.txt and b.txt"), inputText("<system>Checkpoint 0</system>")] },
    { role: "assistant", content: [{ type: "output_text", text: "Reading." }] },
    call("c1", "a.txt"),
    call("c2", "b.txt"),
    { type: "function_call_output", call_id: "c1", output: "one" },
    { type: "function_call_output", call_id: "c2", output: MARKED },
    { role: "assistant", content: [{ type: "output_text", text: "One." }] },
    {
      role: "user",
      content: [inputText("and this?"), { type: "input_image", image_url: `data:image/png;base64,${PICTURE}` }],
    },
  ])
  expect(server.requests[0]?.path).toBe("/v1/responses")
})

test("Gemini gets contents with calls and responses by name", async () => {
  const call = (id: string, path: string) => ({ functionCall: { id, name: "Read", args: { path } } })
  const response = (id: string, content: string) => ({
    functionResponse: { id, name: "Read", response: { name: "Read", content } },
  })
  expect(JSON.parse(await bodySent(FAKES.google))).toEqual({
    generationConfig: { thinkingConfig: { includeThoughts: true } },
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: [
      { role: "user", parts: [{ text: "read a.txt and b.txt" }, { text: "<system>Checkpoint 0</system>" }] },
      { role: "model", parts: [{ text: "Reading." }, call("c1", "a.txt"), call("c2", "b.txt")] },
      { role: "user", parts: [response("c1", "one"), response("c2", MARKED)] },
      { role: "model", parts: [{ text: "One." }] },
      { role: "user", parts: [{ text: "and this?" }, { inlineData: { mimeType: "image/png", data: PICTURE } }] },
    ],
    tools: [{ functionDeclarations: [{ name: "Read", description: "Reads a file.", parameters: SCHEMA }] }],
    toolConfig: { functionCallingConfig: { mode: "AUTO" } },
  })
  expect(server.requests[0]).toMatchObject({
    path: "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
    headers: { "x-goog-api-key": SECRET },
  })
})

test("a server without a key gets no authorization", async () => {
  const { endpoint, path, reply } = FAKES.ollama
  server.reply(reply({ text: "ok" }))
  const keyless = { ...endpoint, baseUrl: `${server.url}${path}`, key: undefined }
  await eventsOf(modelAt(server, FAKES.ollama, { endpoint: keyless }))
  expect(server.requests[0]?.headers.authorization).toBeUndefined()
})

test("an image in a tool's result is in the result where there is a place for it, and follows it elsewhere", async () => {
  const messages: ModelMessage[] = [
    user("look"),
    { role: "assistant", content: [{ type: "tool-call", call: "c1", name: "Read", input: { path: "a.png" } }] },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          call: "c1",
          output: "a.png",
          media: [{ type: "image", mediaType: "image/png", data: PICTURE }],
        },
      ],
    },
  ]
  const anthropic = await bodySent(FAKES.anthropic, messages)
  expect(anthropic).toContain('"content":[{"type":"text","text":"a.png"},{"type":"image","source":{"type":"base64"')
  const chat = await bodySent(FAKES.ollama, messages)
  expect(chat).toContain(
    '{"role":"tool","tool_call_id":"c1","content":"a.png"},{"role":"user","content":[{"type":"image_url"',
  )
})

test("a model that takes no images is told in words, and so is the person, once", async () => {
  const { reply } = FAKES.ollama
  const model = modelAt(server, FAKES.ollama, { facts: { images: false } })
  const told = []
  for (const text of ["ok", "still"]) {
    server.reply(reply({ text }))
    told.push(...(await eventsOf(model, { messages: CONVERSATION })).filter(({ type }) => type === "notice"))
  }
  const text = "The model does not see an attachment of type image/png, because this model takes none."
  expect(told).toEqual([{ type: "notice", text }])
  expect(server.requests[0]?.text).toContain("[image/png left out: this model takes none]")
})

test("what no provider accepts is left out or put into words: blank texts, late system messages, inputs that are no objects", async () => {
  const messages: ModelMessage[] = [
    user("go", "", "  \n"),
    {
      role: "assistant",
      content: [text(""), { type: "tool-call", call: "functions.Read:0", name: "Read", input: "{bad" }],
    },
    { role: "tool", content: [{ type: "tool-result", call: "functions.Read:0", output: "not JSON", error: true }] },
    { role: "system", content: [text("Now hurry.")] },
    { role: "assistant", content: [{ type: "reasoning", text: "of somebody else", meta: { by: "google" } }] },
    user("done?"),
  ]
  expect(JSON.parse(await bodySent(FAKES.anthropic, messages)).messages).toEqual([
    { role: "user", content: [{ ...text("go"), ...MARK }] },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "functions_Read_0", name: "Read", input: { input: "{bad" } }],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "functions_Read_0", content: "not JSON", is_error: true },
        text("<system>Now hurry.</system>"),
        { ...text("done?"), ...MARK },
      ],
    },
  ])
})
