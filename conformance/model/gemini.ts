// Gemini's generateContent.
import { isObject, type JsonObject } from "../../src/model/json.ts"
import { geminiContent, geminiError, geminiReply } from "../../test/provider/wire/gemini.ts"
import { call, image, type Said } from "../said.ts"
import { list, string } from "./fields.ts"
import type { Protocol } from "./protocol.ts"

export const gemini: Protocol = {
  asks: ({ path }) => /:(stream)?generateContent/i.test(path),
  said({ json }) {
    const seen = new Set<string>()
    const { parts: system } = isObject(json.systemInstruction) ? json.systemInstruction : {}
    return [
      ...list(system).map(({ text }): Said => ({ by: "instructions", text: string(text) })),
      ...list(json.contents).flatMap(({ role, parts }) =>
        list(parts).flatMap((part) => (isRepeated(part, seen) ? [] : saidIn(string(role), part))),
      ),
    ]
  },
  hasTools: ({ json }) => list(json.tools).length > 0,
  reply: (answer, _id, { path }) =>
    /:streamGenerateContent/i.test(path) ? geminiReply(answer) : { status: 200, body: geminiContent(answer) },
  elsewhere: ({ path }) =>
    path.includes(":countTokens")
      ? { status: 200, body: { totalTokens: 100 } }
      : geminiError(404, "NOT_FOUND", "This model generates content only."),
}

/** The result of a call that already had one: the program sends them again each time it resumes. */
function isRepeated({ functionResponse }: JsonObject, seen: Set<string>): boolean {
  const id = isObject(functionResponse) ? string(functionResponse.id) : ""
  if (id === "") return false
  const repeated = seen.has(id)
  seen.add(id)
  return repeated
}

function saidIn(role: string, part: JsonObject): Said[] {
  const by = role === "model" ? "assistant" : "user"
  const { functionCall, functionResponse, inlineData, text, thought } = part
  if (isObject(functionCall)) return [call(string(functionCall.name), functionCall.args ?? {})]
  if (isObject(functionResponse)) return resultOf(functionResponse)
  if (isObject(inlineData)) return [image(by, string(inlineData.mimeType), string(inlineData.data))]
  if (thought === true) return []
  return [{ by, text: typeof text === "string" ? text : JSON.stringify(part) }]
}

function resultOf({ response }: JsonObject): Said[] {
  const answered = isObject(response) ? response : {}
  const text = answered.output ?? answered.error
  return [{ by: "result", text: typeof text === "string" ? text : JSON.stringify(response) }]
}
