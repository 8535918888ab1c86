// The events of OpenAI's chat completions, as OpenAI and compatible servers stream them.
import type { Json, JsonObject } from "../../../src/model/json.ts"
import { inputText, pieces, USAGE, type WireAnswer, type WireReply } from "./server.ts"

export function chatEvents(answer: WireAnswer): string[] {
  const usage = { ...USAGE, ...answer.usage }
  const events = [delta({ role: "assistant", content: answer.text === undefined ? null : "" })]
  for (const text of pieces(answer.reasoning ?? "")) events.push(delta({ reasoning_content: text }))
  for (const text of pieces(answer.text ?? "")) events.push(delta({ content: text }))
  for (const [index, { id, name, input }] of (answer.calls ?? []).entries()) {
    events.push(delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }))
    for (const text of pieces(inputText(input)))
      events.push(delta({ tool_calls: [{ index, function: { arguments: text } }] }))
  }
  events.push(
    chunk({
      choices: [{ index: 0, delta: {}, finish_reason: answer.finish ?? (answer.calls ? "tool_calls" : "stop") }],
    }),
  )
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  events.push(
    chunk({
      choices: [],
      usage: {
        prompt_tokens: prompt,
        completion_tokens: usage.output,
        total_tokens: prompt + usage.output,
        prompt_tokens_details: { cached_tokens: usage.cacheRead },
      },
    }),
  )
  return [...events, "data: [DONE]\n\n"]
}

/** The answer as one object, for a request that does not stream. */
export function chatCompletion(answer: WireAnswer): JsonObject {
  const calls = (answer.calls ?? []).map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: inputText(input) },
  }))
  const message = { role: "assistant", content: answer.text ?? null, ...(calls.length > 0 && { tool_calls: calls }) }
  const { input, output } = { ...USAGE, ...answer.usage }
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "fake",
    choices: [{ index: 0, message, finish_reason: answer.finish ?? (calls.length > 0 ? "tool_calls" : "stop") }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }
}

export function chatReply(answer: WireAnswer): WireReply {
  return { events: chatEvents(answer) }
}

export function chatError(
  status: number,
  error: { message: string; type?: string; code?: string },
  headers?: Record<string, string>,
): WireReply {
  return { status, body: { error: { param: null, ...error } }, ...(headers && { headers }) }
}

function delta(value: Json): string {
  return chunk({ choices: [{ index: 0, delta: value, finish_reason: null }] })
}

function chunk(value: JsonObject): string {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "fake" }
  return `data: ${JSON.stringify({ ...head, ...value })}\n\n`
}
