// What the Anthropic Messages API refuses, in its own words.
import { createHash } from "node:crypto"
import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts"
import type { WireRequest } from "../wire/server.ts"
import { imageProblem } from "./image-rules.ts"
import { objects, refuse, textOf, tokensOf } from "./refusal.ts"

const NAME = /^[a-zA-Z0-9_-]{1,128}$/
const CALL_ID = /^[a-zA-Z0-9_-]+$/
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/

export interface AnthropicRules {
  /** Tokens of context. */
  window: number
  /** Newer models: a thinking block is bound to all that stood before it, and the output does not count beforehand. */
  bound: boolean
}

/** Contract: throws a Refusal for a request that the API would answer with an error. */
export function anthropicRules({ json: body, headers }: WireRequest, { window, bound }: AnthropicRules): void {
  if (typeof body.max_tokens !== "number" || body.max_tokens < 1) refuse("max_tokens: Field required")
  if (headers["anthropic-version"] === undefined) refuse("anthropic-version: header is required")
  tools(body)
  cacheMarks(body)
  for (const block of objects(body.system)) textBlock(block, "system")
  const messages = objects(body.messages)
  if (messages.length === 0) refuse("messages: at least one message is required")
  if (messages[0]?.role !== "user") refuse('messages: first message must use the "user" role')
  if (messages.at(-1)?.role !== "user") {
    refuse("This model does not support assistant message prefill. The conversation must end with a user message.")
  }
  const merged = mergedTurns(messages)
  for (const [index, message] of merged.entries()) contents(message, index, merged)
  if (bound && !dropsBlocks(body, headers)) boundThinking(body, messages)
  const size = tokensOf({ system: body.system ?? null, tools: body.tools ?? null, messages: messages as Json[] })
  if (size > window) refuse(`prompt is too long: ${size} tokens > ${window} maximum`)
  if (!bound && size + body.max_tokens > window) {
    refuse(
      `input length and \`max_tokens\` exceed context limit: ${size} + ${body.max_tokens} > ${window}, decrease input length or \`max_tokens\` and try again`,
    )
  }
}

/** The signature of a thinking block that answers this request: bound to all of it, and to the block before it. */
export function signatureFor(body: JsonObject): string {
  const messages = objects(body.messages)
  const last = messages
    .flatMap((message) => objects(message.content).filter((block) => block.type === "thinking"))
    .at(-1)
  return `${bindingOf(body, messages)}.${last === undefined ? "first" : digest(textOf(last.signature))}`
}

function bindingOf(body: JsonObject, before: JsonObject[]): string {
  const seen = { system: unmarked(body.system ?? null), tools: unmarked(body.tools ?? null) }
  const messages = mergedTurns(before).map((message) => ({ ...message, content: thoughtless(message.content) }))
  return digest(JSON.stringify({ ...seen, messages: unmarked(messages) }))
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24)
}

/**
 * A block is bound to system, tools and messages before it. Blocks before it are no part of that, but they are a chain:
 * leaving one out between others breaks those after it. From the beginning they may go.
 */
function boundThinking(body: JsonObject, messages: JsonObject[]): void {
  let before: string | undefined
  for (const [index, message] of messages.entries()) {
    for (const [at, block] of objects(message.content).entries()) {
      if (block.type !== "thinking") continue
      const [binding, chain] = textOf(block.signature).split(".")
      const linked = before === undefined || chain === digest(before)
      if (!linked || binding !== bindingOf(body, messages.slice(0, index))) {
        refuse(
          `messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`,
        )
      }
      before = textOf(block.signature)
    }
  }
}

function dropsBlocks(body: JsonObject, headers: WireRequest["headers"]): boolean {
  const thinking = isObject(body.thinking) ? body.thinking : {}
  const binding = isObject(thinking.block_binding) ? thinking.block_binding : {}
  if (binding.prefix_mismatch_behavior !== "drop_block") return false
  if (!textOf(headers["anthropic-beta"]).includes("thinking-binding-controls-2026-08-01")) {
    refuse("thinking.block_binding: Extra inputs are not permitted")
  }
  return true
}

/** Messages of one role that follow each other are one turn. */
function mergedTurns(messages: JsonObject[]): JsonObject[] {
  const merged: JsonObject[] = []
  for (const message of messages) {
    const content = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content
    if (message.role !== "user" && message.role !== "assistant")
      refuse(`messages: Unexpected role "${textOf(message.role)}"`)
    const last = merged.at(-1)
    if (last?.role === message.role) last.content = [...objects(last.content), ...objects(content)]
    else merged.push({ ...message, content: objects(content) })
  }
  return merged
}

function contents(message: JsonObject, index: number, all: JsonObject[]): void {
  const blocks = objects(message.content)
  if (blocks.length === 0) refuse(`messages.${index}: all messages must have non-empty content`)
  for (const [at, block] of blocks.entries()) knownBlock(block, `messages.${index}.content.${at}`, message.role)
  if (message.role === "assistant") answered(blocks, index, all)
  else matched(blocks, index, all)
}

function knownBlock(block: JsonObject, where: string, role: Json | undefined): void {
  switch (textOf(block.type)) {
    case "text":
      textBlock(block, where)
      return
    case "image":
      imageBlock(block, where)
      return
    case "thinking":
      if (role !== "assistant") refuse(`${where}: thinking blocks may only be in assistant messages`)
      if (textOf(block.signature) === "") refuse(`${where}.thinking.signature: Field required`)
      return
    case "redacted_thinking":
    case "document":
      return
    case "tool_use":
      if (!CALL_ID.test(textOf(block.id))) {
        refuse(`${where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
      }
      if (!isObject(block.input)) refuse(`${where}.tool_use.input: Input should be a valid dictionary`)
      return
    case "tool_result":
      for (const inner of objects(block.content)) knownBlock(inner, `${where}.tool_result.content`, role)
      return
    default:
      refuse(`${where}: Input tag '${textOf(block.type)}' found using 'type' does not match any of the expected tags`)
  }
}

function textBlock(block: JsonObject, where: string): void {
  if (block.type !== "text") refuse(`${where}: only text is allowed here`)
  if (textOf(block.text) === "") refuse(`${where}: text content blocks must be non-empty`)
  if (textOf(block.text).trim() === "") refuse(`${where}: text content blocks must contain non-whitespace text`)
}

function imageBlock(block: JsonObject, where: string): void {
  const source = isObject(block.source) ? block.source : {}
  const problem = imageProblem(textOf(source.data), textOf(source.media_type))
  if (problem !== undefined) refuse(`${where}.image.source.base64: ${problem}`)
}

function answered(blocks: JsonObject[], index: number, all: JsonObject[]): void {
  const calls = blocks.filter((block) => block.type === "tool_use").map((block) => textOf(block.id))
  if (new Set(calls).size < calls.length) refuse(`messages.${index}: \`tool_use\` ids must be unique`)
  if (blocks.every((block) => block.type === "thinking")) {
    refuse(`messages.${index}: The final block in an assistant message cannot be \`thinking\`.`)
  }
  const results = new Set(
    objects(all[index + 1]?.content)
      .filter((block) => block.type === "tool_result")
      .map((block) => textOf(block.tool_use_id)),
  )
  const open = calls.filter((id) => !results.has(id))
  if (open.length > 0) {
    refuse(
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    )
  }
}

function matched(blocks: JsonObject[], index: number, all: JsonObject[]): void {
  const calls = objects(all[index - 1]?.content)
    .filter((block) => block.type === "tool_use")
    .map((block) => textOf(block.id))
  let seenOther = false
  const taken = new Set<string>()
  for (const [at, block] of blocks.entries()) {
    if (block.type !== "tool_result") {
      seenOther = true
      continue
    }
    const id = textOf(block.tool_use_id)
    if (!calls.includes(id)) {
      refuse(
        `messages.${index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      )
    }
    if (taken.has(id)) refuse(`messages.${index}.content.${at}: each tool_use must have a single result: ${id}`)
    if (seenOther) refuse(`messages.${index}.content.${at}: \`tool_result\` blocks must come first in the content`)
    taken.add(id)
  }
}

function tools(body: JsonObject): void {
  const names = new Set<string>()
  for (const [index, tool] of objects(body.tools).entries()) {
    const where = `tools.${index}.custom`
    const name = textOf(tool.name)
    if (!NAME.test(name)) refuse(`${where}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
    if (names.has(name)) refuse("tools: Tool names must be unique.")
    names.add(name)
    const schema = isObject(tool.input_schema) ? tool.input_schema : {}
    if (schema.type !== "object") refuse(`${where}.input_schema.type: Input should be 'object'`)
    for (const keyword of ["oneOf", "allOf", "anyOf"]) {
      if (schema[keyword] !== undefined) {
        refuse(`${where}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`)
      }
    }
    for (const key of Object.keys(isObject(schema.properties) ? schema.properties : {})) {
      if (!PROPERTY.test(key)) {
        refuse(`${where}.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`)
      }
    }
  }
}

function cacheMarks(body: JsonObject): void {
  const marks = JSON.stringify(body).split('"cache_control"').length - 1
  if (marks > 4) refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`)
}

function thoughtless(content: Json | undefined): Json[] {
  return objects(content).filter((block) => block.type !== "thinking" && block.type !== "redacted_thinking")
}

function unmarked(value: Json): Json {
  if (Array.isArray(value)) return value.map(unmarked)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key]) => key !== "cache_control")
  return Object.fromEntries(kept.map(([key, each]) => [key, unmarked(each)]))
}
