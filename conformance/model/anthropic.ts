// Anthropic's Messages API.
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts"
import { anthropicError, anthropicMessage, anthropicReply } from "../../test/provider/wire/anthropic.ts"
import { call, image, type Said } from "../said.ts"
import { list, string } from "./fields.ts"
import type { Protocol } from "./protocol.ts"

export const anthropic: Protocol = {
  asks: ({ path }) => /\/v1\/messages(\?|$)/.test(path),
  said: ({ json }) => [
    ...saidIn("instructions", json.system),
    ...list(json.messages).flatMap((message) => saidIn(string(message.role), message.content)),
  ],
  hasTools: ({ json }) => list(json.tools).length > 0,
  reply: (answer, id, { json }) =>
    json.stream === true
      ? anthropicReply({ ...answer, id })
      : { status: 200, body: anthropicMessage({ ...answer, id }) },
  elsewhere: ({ path }) =>
    path.includes("/count_tokens")
      ? { status: 200, body: { input_tokens: 100 } }
      : anthropicError(404, "not_found_error", "This model answers messages only."),
}

function saidIn(role: string, content: Json | undefined): Said[] {
  const by = role === "assistant" || role === "system" || role === "instructions" ? role : "user"
  if (typeof content === "string") return [{ by, text: content }]
  return list(content).flatMap((block): Said[] => {
    if (block.type === "text") return [{ by, text: string(block.text) }]
    if (block.type === "tool_use") return [call(string(block.name), block.input ?? null)]
    if (block.type === "tool_result") return resultOf(block)
    if (block.type === "image") return [imageOf(by, block)]
    return block.type === "thinking" || block.type === "redacted_thinking" ? [] : [{ by, text: JSON.stringify(block) }]
  })
}

function resultOf({ content }: JsonObject): Said[] {
  if (typeof content === "string") return [{ by: "result", text: content }]
  const blocks = list(content)
  const texts = blocks.filter(({ type }) => type === "text").map(({ text }) => string(text))
  const images = blocks.filter(({ type }) => type === "image").map((block) => imageOf("result", block))
  return [{ by: "result", text: texts.join("\n") }, ...images]
}

function imageOf(by: Said["by"], { source }: JsonObject): Said {
  const from = isObject(source) ? source : {}
  return image(by, string(from.media_type), string(from.data))
}
