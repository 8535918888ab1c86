// The events of the Anthropic Messages API.
import type { JsonObject } from "../../../src/model/json.ts"
import { inputText, pieces, USAGE, type WireAnswer, type WireReply } from "./server.ts"

export function anthropicEvents(answer: WireAnswer): string[] {
  const usage = { ...USAGE, ...answer.usage }
  const events = [
    event("message_start", {
      message: {
        id: answer.id ?? "msg_1",
        type: "message",
        role: "assistant",
        model: "claude",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: usage.input,
          output_tokens: 1,
          cache_read_input_tokens: usage.cacheRead,
          cache_creation_input_tokens: usage.cacheWrite,
        },
      },
    }),
    event("ping", {}),
  ]
  let index = 0
  const block = (start: JsonObject, deltas: JsonObject[]) => {
    events.push(event("content_block_start", { index, content_block: start }))
    for (const delta of deltas) events.push(event("content_block_delta", { index, delta }))
    events.push(event("content_block_stop", { index: index++ }))
  }
  if (answer.reasoning !== undefined) {
    const thinking = pieces(answer.reasoning).map((text) => ({ type: "thinking_delta", thinking: text }))
    block({ type: "thinking", thinking: "" }, [
      ...thinking,
      { type: "signature_delta", signature: answer.signature ?? "sig-1" },
    ])
  }
  if (answer.text !== undefined) {
    block(
      { type: "text", text: "" },
      pieces(answer.text).map((text) => ({ type: "text_delta", text })),
    )
  }
  for (const { id, name, input } of answer.calls ?? []) {
    const deltas = pieces(inputText(input)).map((text) => ({ type: "input_json_delta", partial_json: text }))
    block({ type: "tool_use", id, name, input: {} }, deltas)
  }
  const stop = answer.finish ?? (answer.calls === undefined ? "end_turn" : "tool_use")
  events.push(
    event("message_delta", {
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: usage.output },
    }),
  )
  events.push(event("message_stop", {}))
  return events
}

/** The answer as one object, for a request that does not stream. */
export function anthropicMessage(answer: WireAnswer): JsonObject {
  const calls = (answer.calls ?? []).map(({ id, name, input }) => ({ type: "tool_use", id, name, input }))
  const text = answer.text === undefined ? [] : [{ type: "text", text: answer.text }]
  const { input, output } = { ...USAGE, ...answer.usage }
  return {
    id: answer.id ?? "msg_1",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [...text, ...calls],
    stop_reason: answer.finish ?? (answer.calls === undefined ? "end_turn" : "tool_use"),
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  }
}

export function anthropicReply(answer: WireAnswer): WireReply {
  return { events: anthropicEvents(answer) }
}

export function anthropicError(
  status: number,
  type: string,
  message: string,
  headers?: Record<string, string>,
): WireReply {
  return { status, body: { type: "error", error: { type, message } }, ...(headers && { headers }) }
}

/** An error that arrives in the middle of an answer. */
export function anthropicErrorEvent(type: string, message: string): string {
  return event("error", { error: { type, message } })
}

function event(type: string, data: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}
