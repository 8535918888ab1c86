// OpenAI's Responses API.
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts"
import { responsesReply } from "../../test/provider/wire/responses.ts"
import { call, type Said } from "../said.ts"
import { imageUrl, list, parsed, string } from "./fields.ts"
import type { Protocol } from "./protocol.ts"

export const responses: Protocol = {
  asks: ({ path }) => /\/responses(\?|$)/.test(path),
  said: ({ json }) => [
    { by: "instructions", text: string(json.instructions) },
    ...list(json.input).flatMap((item, index) =>
      saidIn(item).map((said): Said => (index === 0 && isForDeveloper(item) ? { ...said, by: "instructions" } : said)),
    ),
  ],
  hasTools: ({ json }) => list(json.tools).length > 0,
  reply: (answer, id) => responsesReply({ ...answer, id }),
  elsewhere: () => ({ status: 404, body: { error: { message: "This model answers responses only." } } }),
}

/** The first such message is the system prompt. Later ones are part of the conversation. */
function isForDeveloper({ role }: JsonObject): boolean {
  return role === "developer" || role === "system"
}

function saidIn(item: JsonObject): Said[] {
  const type = string(item.type)
  if (type === "message" || type === "") return messageSaid(string(item.role), item.content)
  if (type === "function_call") return [call(string(item.name), parsed(item.arguments))]
  if (type === "custom_tool_call") return [call(string(item.name), item.input ?? null)]
  if (type.endsWith("_output")) return outputSaid(item.output)
  return type === "reasoning" ? [] : [{ by: "assistant", text: JSON.stringify(item) }]
}

function messageSaid(role: string, content: Json | undefined): Said[] {
  const by = role === "assistant" ? "assistant" : "user"
  if (typeof content === "string") return [{ by, text: content }]
  return list(content).map((part) =>
    part.type === "input_image" ? imageUrl(by, string(part.image_url)) : { by, text: string(part.text) },
  )
}

function outputSaid(output: Json | undefined): Said[] {
  if (typeof output === "string") return [{ by: "result", text: output }]
  const parts = isObject(output) ? list(output.content) : list(output)
  const texts = parts.filter(({ text }) => typeof text === "string").map(({ text }) => string(text))
  const images = parts.filter(({ type }) => type === "input_image")
  return [{ by: "result", text: texts.join("\n") }, ...images.map((part) => imageUrl("result", string(part.image_url)))]
}
