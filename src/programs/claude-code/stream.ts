// Reads what `claude -p --output-format stream-json --include-partial-messages` prints, line by line.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { Usage } from "../../model/record/record.ts"
import type { Denied, ProgramEvent } from "../port.ts"
import { ruleFor } from "./rule.ts"

export interface StreamEnd {
  ok: boolean
  message: string
  denied: Denied[]
}

/** Takes one message at a time. Skips those of other kinds, and what sub-agents say. */
export function claudeStream(
  told: (event: ProgramEvent) => void,
  ended: (end: StreamEnd) => void,
): (said: JsonObject) => void {
  let usage: Usage = {}

  function delta(event: JsonObject): void {
    const delta = isObject(event.delta) ? event.delta : {}
    if (delta.type === "text_delta") told({ type: "text-delta", text: textOf(delta.text) })
    if (delta.type === "thinking_delta") told({ type: "reasoning-delta", text: textOf(delta.thinking) })
  }
  function streamed(event: JsonObject): void {
    if (event.type === "message_start") {
      const message = isObject(event.message) ? event.message : {}
      usage = usageOf(message.usage)
      told({ type: "step-start", ...(typeof message.id === "string" && { answer: message.id }) })
    }
    if (event.type === "content_block_delta") delta(event)
    if (event.type === "message_delta") usage = { ...usage, ...usageOf(event.usage) }
    if (event.type === "message_stop") told({ type: "step-end", usage })
  }

  return (said) => {
    if (said.type === "stream_event") {
      if (typeof said.parent_tool_use_id !== "string" && isObject(said.event)) streamed(said.event)
      return
    }
    told({ type: "grown" })
    if (typeof said.parent_tool_use_id === "string") return
    if (said.type === "assistant") blocks(said).flatMap(callStart).forEach(told)
    if (said.type === "user") blocks(said).flatMap(callEnd).forEach(told)
    if (said.type === "result") ended(endOf(said))
  }
}

function usageOf(value: Json | undefined): Usage {
  const fields = isObject(value) ? value : {}
  const count = (key: keyof Usage, name: string) => (typeof fields[name] === "number" ? { [key]: fields[name] } : {})
  return {
    ...count("input", "input_tokens"),
    ...count("output", "output_tokens"),
    ...count("cacheRead", "cache_read_input_tokens"),
    ...count("cacheWrite", "cache_creation_input_tokens"),
  }
}

function callStart(block: JsonObject): ProgramEvent[] {
  if (block.type === "text") return [{ type: "text-end" }]
  if (block.type === "thinking") return [{ type: "reasoning-end" }]
  if (block.type !== "tool_use") return []
  return [{ type: "tool-start", call: textOf(block.id), name: textOf(block.name), input: block.input ?? {} }]
}

function callEnd(block: JsonObject): ProgramEvent[] {
  if (block.type !== "tool_result") return []
  return [
    {
      type: "tool-end",
      call: textOf(block.tool_use_id),
      output: resultText(block.content),
      error: block.is_error === true,
    },
  ]
}

function endOf(result: JsonObject): StreamEnd {
  const denials = Array.isArray(result.permission_denials) ? result.permission_denials.filter(isObject) : []
  const denied = denials.map(({ tool_use_id, tool_name, tool_input = null }): Denied => {
    const tool = textOf(tool_name)
    return { call: textOf(tool_use_id), tool, input: tool_input, rule: ruleFor(tool, tool_input) }
  })
  const errors = Array.isArray(result.errors) ? result.errors.map(textOf) : []
  return { ok: result.is_error !== true, message: textOf(result.result) || errors.join(" "), denied }
}

function blocks({ message }: JsonObject): JsonObject[] {
  return isObject(message) && Array.isArray(message.content) ? message.content.filter(isObject) : []
}

function resultText(content: Json | undefined): string {
  if (!Array.isArray(content)) return textOf(content)
  return content.flatMap((part) => (isObject(part) && part.type === "text" ? [textOf(part.text)] : [])).join("\n")
}

export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : ""
}
