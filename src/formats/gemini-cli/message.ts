// Who said what in a Gemini CLI session, and its parts as ours.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { Origin } from "../../model/record/origin.ts"
import { type Part, plainText } from "../../model/record/part.ts"
import { listField, objectField, textField } from "../shared/json-line.ts"
import type { MessageAuthor } from "../shared/message-author.ts"
import { retconMark } from "../shared/retcon-mark.ts"
import { unwrappedInput } from "../shared/step-parts.ts"

/** The beginnings of texts that Gemini CLI itself sends in the person's name. */
const OWN_TEXTS: readonly [string, Origin][] = [
  ["<session_context>", "injection"],
  ["This is the Gemini CLI. We are setting up the context", "injection"],
  ["<hook_context>", "hook"],
  ["Here is the user's editor context as a JSON object.", "injection"],
  ["Here is a summary of changes in the user's editor context", "injection"],
  ["I ran the following shell command:\n```sh\n", "shell"],
]

/** The model's reply to a summary, which Gemini CLI makes up. */
export const THANKS = "Got it. Thanks for the additional context!"

const RETRIES = ["Please continue.", "System: Please continue."]

/** Undefined if it is not to or from the model, but a notice for the person. */
export function authorOf(message: JsonObject): MessageAuthor | undefined {
  if (message.type === "gemini") return { role: "assistant", origin: "agent", why: 'type is "gemini"' }
  if (message.type !== "user") return undefined
  if (responsesIn(message).length > 0) return { role: "tool", origin: "tool", why: "it has a functionResponse" }
  const { origin } = retconMark(message)
  if (origin !== undefined) return { role: "user", origin, why: "retcon wrote it, and says so" }
  const text = plainText(partsOf(message)).trimStart()
  const own = OWN_TEXTS.find(([beginning]) => text.startsWith(beginning))
  if (own !== undefined) return { role: "user", origin: own[1], why: `its text begins with "${own[0].slice(0, 40)}"` }
  if (RETRIES.includes(text)) return { role: "user", origin: "retry", why: `its text is "${text}"` }
  return { role: "user", origin: "prompt", why: 'type is "user", and nothing says otherwise' }
}

/** Whether it is the introduction to a conversation: the date and the folders. Gemini CLI makes a new one each time. */
export function isSessionContext(message: JsonObject): boolean {
  if (message.type !== "user") return false
  const text = plainText(partsOf(message)).trimStart()
  return OWN_TEXTS.slice(0, 2).some(([beginning]) => text.startsWith(beginning))
}

/** What the person typed, if the model got something else for it. */
export function displayOf(message: JsonObject): string | undefined {
  if (message.type !== "user" || message.displayContent === undefined) return undefined
  const text = plainText(partList(message.displayContent).map(partOf))
  return text === "" ? undefined : text
}

/** The parts of a message as the model gets them; for an answer: thoughts, text, calls. */
export function partsOf(message: JsonObject): Part[] {
  const content = partList(message.content)
  const parts = content.map(partOf)
  if (message.type !== "gemini") return parts
  if (content.some((part) => isObject(part) && (part.functionCall !== undefined || part.thought === true))) return parts
  return [...listField(message, "thoughts").map(thoughtOf), ...parts, ...listField(message, "toolCalls").map(callOf)]
}

/** The results in a message: its functionResponses, or those beside the calls of an answer. */
export function resultsOf(message: JsonObject): Part[] {
  if (message.type !== "gemini") return resultsIn(partList(message.content))
  return listField(message, "toolCalls").flatMap((call) => {
    const result = isObject(call) ? call.result : undefined
    if (result === undefined || result === null || result === "") return []
    const parts = resultsIn(typeof result === "string" ? [responseOf(call, result)] : partList(result))
    const id = textField(call, "id")
    // If there is no response in it, the whole content is the call's result.
    if (parts.some(({ type }) => type === "tool-result") || id === undefined) return parts
    const name = textField(call, "name")
    return [{ type: "tool-result", call: id, ...(name !== undefined && { name }), output: plainText(parts) }]
  })
}

/** The ids of the calls whose results are in a message. */
export function answeredBy(message: JsonObject): string[] {
  return resultsOf(message).flatMap((part) => (part.type === "tool-result" ? [part.call] : []))
}

function responsesIn(message: JsonObject): Json[] {
  return partList(message.content).filter((part) => objectField(part, "functionResponse") !== undefined)
}

function responseOf(call: Json, output: string): Json {
  return {
    functionResponse: { id: textField(call, "id") ?? "", name: textField(call, "name") ?? "", response: { output } },
  }
}

/** Images that follow a result belong to it. */
function resultsIn(content: readonly Json[]): Part[] {
  const found: Part[] = []
  for (const value of content) {
    const part = partOf(value)
    const last = found.at(-1)
    if ((part.type === "image" || part.type === "file") && last?.type === "tool-result") {
      found[found.length - 1] = { ...last, media: [...(last.media ?? []), part] }
    } else found.push(part)
  }
  return found
}

/** A string, one part, or a list of both. */
function partList(content: Json | undefined): Json[] {
  if (content === undefined || content === null || content === "") return []
  return Array.isArray(content) ? content : [content]
}

function partOf(value: Json): Part {
  if (typeof value === "string") return { type: "text", text: value }
  const raw = isObject(value) ? value : { value }
  const text = textField(raw, "text")
  if (raw.thought === true && text !== undefined) return { type: "reasoning", text }
  const [call, response] = [objectField(raw, "functionCall"), objectField(raw, "functionResponse")]
  if (call !== undefined) return callOf(call)
  if (response !== undefined) return resultOf(response)
  const inline = objectField(raw, "inlineData")
  const [mediaType, data] = [textField(inline, "mimeType"), textField(inline, "data")]
  if (mediaType !== undefined && data !== undefined) {
    return { type: mediaType.startsWith("image/") ? "image" : "file", mediaType, data }
  }
  return text === undefined ? { type: "unknown", raw } : { type: "text", text }
}

function callOf(value: Json): Part {
  const name = textField(value, "name") ?? ""
  const input = unwrappedInput(value, objectField(value, "args") ?? {})
  return { type: "tool-call", call: textField(value, "id") ?? name, name, input }
}

function resultOf(response: JsonObject): Part {
  const name = textField(response, "name") ?? ""
  const body = objectField(response, "response")
  const [output, error] = [body?.output, body?.error]
  const media = listField(response, "parts").map(partOf)
  return {
    type: "tool-result",
    call: textField(response, "id") ?? name,
    name,
    output: outputText(output ?? error ?? body),
    ...(output === undefined && error !== undefined && { error: true as const }),
    ...(media.length > 0 && { media }),
  }
}

function outputText(output: Json | undefined): string {
  if (output === undefined || output === null) return ""
  return typeof output === "string" ? output : jsonText(output)
}

/** A value as text; empty for one that is nested too deeply to print. */
export function jsonText(value: Json): string {
  try {
    return JSON.stringify(value)
  } catch {
    return ""
  }
}

function thoughtOf(thought: Json): Part {
  const [subject, description] = [textField(thought, "subject"), textField(thought, "description") ?? ""]
  return {
    type: "reasoning",
    text: subject === undefined || subject === "" ? description : `**${subject}** ${description}`,
  }
}
