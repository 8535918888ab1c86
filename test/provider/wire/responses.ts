// The events of OpenAI's Responses API.
import type { JsonObject } from "../../../src/model/json.ts"
import { inputText, pieces, USAGE, type WireAnswer, type WireReply } from "./server.ts"

export function responsesEvents(answer: WireAnswer): string[] {
  const usage = { ...USAGE, ...answer.usage }
  const events = [event("response.created", { response: { id: "resp_1", created_at: 1_700_000_000, model: "fake" } })]
  let index = 0
  const item = (id: string, start: JsonObject, inner: (at: JsonObject) => string[], done: JsonObject) => {
    const at = { output_index: index++, item_id: id }
    events.push(event("response.output_item.added", { output_index: at.output_index, item: { id, ...start } }))
    events.push(
      ...inner(at),
      event("response.output_item.done", { output_index: at.output_index, item: { id, ...done } }),
    )
  }
  if (answer.reasoning !== undefined) {
    const { reasoning } = answer
    const encrypted = { type: "reasoning", encrypted_content: "enc-1" }
    const summary = (at: JsonObject) => [
      event("response.reasoning_summary_part.added", { ...at, summary_index: 0 }),
      ...pieces(reasoning).map((delta) =>
        event("response.reasoning_summary_text.delta", { ...at, summary_index: 0, delta }),
      ),
    ]
    item("rs_1", { ...encrypted, summary: [] }, summary, {
      ...encrypted,
      summary: [{ type: "summary_text", text: reasoning }],
    })
  }
  if (answer.text !== undefined) {
    const { text } = answer
    const deltas = (at: JsonObject) =>
      pieces(text).map((delta) => event("response.output_text.delta", { ...at, content_index: 0, delta }))
    const done = { type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] }
    item(answer.id ?? "msg_1", { ...done, content: [] }, deltas, done)
  }
  for (const { id, name, input, namespace } of answer.calls ?? []) {
    const call = { type: "function_call", call_id: id, name, ...(namespace !== undefined && { namespace }) }
    item(`fc_${id}`, { ...call, arguments: "" }, () => [], {
      ...call,
      arguments: inputText(input),
      status: "completed",
    })
  }
  const details = {
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens_details: { reasoning_tokens: 0 },
  }
  const input = usage.input + usage.cacheRead
  const total = input + usage.output
  const counts = { input_tokens: input, output_tokens: usage.output, total_tokens: total, ...details }
  return [
    ...events,
    event("response.completed", { response: { id: "resp_1", incomplete_details: null, usage: counts } }),
  ]
}

export function responsesReply(answer: WireAnswer): WireReply {
  return { events: responsesEvents(answer) }
}

let sequence = 0
function event(type: string, data: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...data })}\n\n`
}
