// The events of Gemini's streamGenerateContent.
import { type JsonObject, parseJson } from "../../../src/model/json.ts"
import { inputText, pieces, USAGE, type WireAnswer, type WireReply } from "./server.ts"

export function geminiEvents(answer: WireAnswer): string[] {
  const usage = { ...USAGE, ...answer.usage }
  const events: string[] = []
  for (const text of pieces(answer.reasoning ?? "")) events.push(content({ text, thought: true }))
  for (const text of pieces(answer.text ?? "")) events.push(content({ text }))
  for (const [index, { id, name, input }] of (answer.calls ?? []).entries()) {
    const args = parseJson(inputText(input))
    const signature = index === 0 ? { thoughtSignature: "sig-1" } : {}
    events.push(content({ functionCall: { id, name, args: args.ok ? args.value : {} }, ...signature }))
  }
  events.push(
    event({
      candidates: [
        { content: { parts: [{ text: "" }], role: "model" }, finishReason: answer.finish ?? "STOP", index: 0 },
      ],
      usageMetadata: {
        promptTokenCount: usage.input + usage.cacheRead,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.cacheRead + usage.output,
        cachedContentTokenCount: usage.cacheRead,
      },
    }),
  )
  return events
}

/** The answer as one object, for a request that does not stream. */
export function geminiContent(answer: WireAnswer): JsonObject {
  const parts = [{ text: answer.text ?? "" }]
  return { candidates: [{ content: { parts, role: "model" }, finishReason: answer.finish ?? "STOP", index: 0 }] }
}

export function geminiReply(answer: WireAnswer): WireReply {
  return { events: geminiEvents(answer) }
}

export function geminiError(status: number, name: string, message: string, details?: JsonObject[]): WireReply {
  return { status, body: { error: { code: status, message, status: name, ...(details && { details }) } } }
}

function content(part: JsonObject): string {
  return event({ candidates: [{ content: { parts: [part], role: "model" }, index: 0 }] })
}

function event(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\r\n\r\n`
}
