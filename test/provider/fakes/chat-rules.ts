// What chat completions refuse: OpenAI's own words, and the rules that DeepSeek and Moonshot add.
import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts"
import type { WireRequest } from "../wire/server.ts"
import { imageProblem } from "./image-rules.ts"
import { objects, refuse, textOf, tokensOf } from "./refusal.ts"
import { includesType, schemasIn } from "./schema-rules.ts"

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

export interface ChatRules {
  window: number
  /** DeepSeek, Moonshot: in the thinking mode an answer with calls comes back with its reasoning. */
  reasoning?: boolean
}

/** Contract: throws a Refusal for a request that the API would answer with an error. */
export function chatRules({ json: body }: WireRequest, { window, reasoning = false }: ChatRules): void {
  functions(objects(body.tools).map((tool, index) => ({ tool: functionOf(tool), where: `tools[${index}].function` })))
  const messages = objects(body.messages)
  if (messages.length === 0) refuse("[] is too short - 'messages'", 400, { code: "empty_array" })
  for (const [index, message] of messages.entries()) messageRules(message, index, reasoning)
  pairing(messages)
  const size = tokensOf({ messages: messages as Json[], tools: body.tools ?? null })
  if (size > window) {
    refuse(
      `This model's maximum context length is ${window} tokens. However, your messages resulted in ${size} tokens. Please reduce the length of the messages.`,
      400,
      { code: "context_length_exceeded" },
    )
  }
}

/** The rules for functions, which the Responses API shares. */
export function functions(all: { tool: JsonObject; where: string }[]): void {
  if (all.length > 128) refuse(`Invalid 'tools': array too long. Expected an array with maximum length 128.`)
  const names = new Set<string>()
  for (const { tool, where } of all) {
    const name = textOf(tool.name)
    if (!NAME.test(name)) refuse(`Invalid '${where}.name': string does not match pattern. Expected '^[a-zA-Z0-9_-]+$'.`)
    if (names.has(name)) refuse(`Tool names must be unique: ${name}`)
    names.add(name)
    const schema = isObject(tool.parameters) ? tool.parameters : {}
    const wrong = (why: string) =>
      refuse(`Invalid schema for function '${name}': ${why}`, 400, { code: "invalid_function_parameters" })
    if (schema.type !== "object")
      wrong(`schema must be a JSON Schema of 'type: "object"', got 'type: "${textOf(schema.type) || "None"}"'.`)
    for (const keyword of ["oneOf", "anyOf", "allOf", "enum", "not"]) {
      if (schema[keyword] !== undefined)
        wrong(`schema must have type 'object' and not have '${keyword}' at the top level.`)
    }
    for (const { schema: inner, path } of schemasIn(schema)) {
      const untyped = includesType(inner, "array") && !isObject(inner.items) && inner.prefixItems === undefined
      if (untyped) wrong(`In context=('${path.join("', '")}'), array schema missing items.`)
    }
  }
}

function functionOf(tool: JsonObject): JsonObject {
  return isObject(tool.function) ? tool.function : {}
}

function messageRules(message: JsonObject, index: number, reasoning: boolean): void {
  const { role, content } = message
  const where = `messages[${index}]`
  if (!["system", "developer", "user", "assistant", "tool"].includes(textOf(role))) {
    refuse(`Invalid value: '${textOf(role)}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool'.`)
  }
  if (role === "assistant") {
    const calls = objects(message.tool_calls)
    if (calls.length === 0 && textOf(content) === "") {
      refuse(`Invalid value for 'content': expected a string, got null.`)
    }
    for (const call of calls) callRules(call, where)
    if (reasoning && calls.length > 0 && typeof message.reasoning_content !== "string") {
      refuse("The reasoning_content in the thinking mode must be passed back to the API.")
    }
  } else if (role === "tool") {
    if (typeof content !== "string") refuse(`Invalid type for '${where}.content': expected a string.`)
  } else if (typeof content !== "string" && objects(content).length === 0) {
    refuse(`Invalid '${where}.content': empty array. Expected an array with minimum length 1.`)
  }
  if (role !== "tool") for (const part of objects(content)) contentPart(part, where)
}

function callRules(call: JsonObject, where: string): void {
  if (textOf(call.id).length > 40) {
    refuse(`Invalid '${where}.tool_calls[0].id': string too long. Expected a string with maximum length 40.`)
  }
  const { name, arguments: input } = functionOf(call)
  if (!NAME.test(textOf(name))) refuse(`Invalid '${where}.tool_calls[0].function.name': string does not match pattern.`)
  if (typeof input !== "string") refuse(`Invalid type for '${where}.tool_calls[0].function.arguments'.`)
}

function contentPart(part: JsonObject, where: string): void {
  if (part.type === "text" && textOf(part.text) === "") refuse(`Invalid '${where}.content': empty text.`)
  if (part.type === "image_url") imageUrl(isObject(part.image_url) ? part.image_url.url : undefined)
}

/** A data URL, as images come. */
export function imageUrl(url: Json | undefined): void {
  const [, type = "", data = ""] = /^data:([^;,]*);base64,(.*)$/s.exec(textOf(url)) ?? []
  const problem = imageProblem(data, type)
  if (problem === undefined) return
  refuse(
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    400,
    { code: "invalid_image_format" },
  )
}

function pairing(messages: JsonObject[]): void {
  let open: string[] = []
  for (const message of messages) {
    if (message.role === "tool") {
      const id = textOf(message.tool_call_id)
      if (!open.includes(id)) {
        refuse(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        )
      }
      open = open.filter((each) => each !== id)
      continue
    }
    unanswered(open)
    open = objects(message.tool_calls).map((call) => textOf(call.id))
  }
  unanswered(open)
}

function unanswered(open: string[]): void {
  if (open.length === 0) return
  refuse(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`,
  )
}
