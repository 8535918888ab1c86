// Who said what in a Gemini CLI session, and its parts as ours.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { Origin } from "../../model/record/origin.ts"
import { type Part, plainText } from "../../model/record/record.ts"
import { callOf, partList, partOf, resultsIn } from "../shared/gemini-parts.ts"
import { listField, objectField, textField } from "../shared/json-line.ts"
import type { MessageAuthor } from "../shared/message-author.ts"
import { retconMark } from "../shared/retcon-mark.ts"

/** The beginnings of texts that Gemini CLI itself sends in the person's name. */
const OWN_TEXTS: readonly [string, Origin][] = [
  ["<session_context>", "injection"],
  ["This is the Gemini CLI. We are setting up the context", "injection"],
  ["<hook_context>", "hook"],
  ["Here is the user's editor context as a JSON object.", "injection"],
  ["Here is a summary of changes in the user's editor context", "injection"],
  ["I ran the following shell command:\n```sh\n", "shell"],
]

/** What a summary of the conversation begins with. */
export const SNAPSHOT = "<state_snapshot>"

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
  const text = userText(message)
  const own = OWN_TEXTS.find(([beginning]) => text.startsWith(beginning))
  const behind = behindIntroduction(text)
  if (own !== undefined && behind !== undefined) {
    const origin = behind.startsWith(SNAPSHOT) ? "summary" : "prompt"
    return { role: "user", origin, why: `it has text behind what begins with "${own[0]}"` }
  }
  if (own !== undefined) return { role: "user", origin: own[1], why: `its text begins with "${own[0].slice(0, 40)}"` }
  if (RETRIES.includes(text)) return { role: "user", origin: "retry", why: `its text is "${text}"` }
  return { role: "user", origin: "prompt", why: 'type is "user", and nothing says otherwise' }
}

/** Whether it begins with the introduction to a conversation: the date and the folders. */
export function isIntroduced(message: JsonObject): boolean {
  const text = message.type === "user" ? userText(message) : ""
  return OWN_TEXTS.slice(0, 2).some(([beginning]) => text.startsWith(beginning))
}

/** Whether it is such an introduction and nothing else. Gemini CLI makes a new one each time. */
export function isSessionContext(message: JsonObject): boolean {
  return isIntroduced(message) && behindIntroduction(userText(message)) === undefined
}

/**
 * Whether Gemini CLI leaves a message out when it resumes a session, although it sent it when it was new. It takes these for its
 * own commands and contexts; of the contexts it makes a new one, so `isSessionContext` is not among them.
 */
export function isLeftOut(message: JsonObject): boolean {
  if (message.type !== "user" || isSessionContext(message)) return false
  const text = partList(message.content).map(spelled).join("").trim()
  return text === "" || LEFT_OUT.some((beginning) => text.startsWith(beginning))
}

const LEFT_OUT = ["/", "?", "<session_context>", "<hook_context>"]

/** As Gemini CLI spells a part to look at its beginning: anything but text is a word in brackets. */
function spelled(part: Json): string {
  if (typeof part === "string") return part
  const brackets = isObject(part) && SPELLED.some((field) => part[field] !== undefined)
  return brackets ? "[…]" : (textField(part, "text") ?? "")
}

const SPELLED = [
  "videoMetadata",
  "thought",
  "codeExecutionResult",
  "executableCode",
  "fileData",
  "functionCall",
  "functionResponse",
  "inlineData",
]

/** What the person typed, if the model got something else for it. */
export function displayOf(message: JsonObject): string | undefined {
  if (message.type !== "user") return undefined
  const typed = plainText(partList(message.displayContent).map(partOf))
  if (typed !== "") return typed
  return behindIntroduction(userText(message))
}

function userText(message: JsonObject): string {
  return plainText(partsOf(message)).trimStart()
}

const CONTEXT = /^<(session_context|hook_context)>[\s\S]*?<\/\1>\s*/

/** Saved conversations, and hooks without a terminal, put a context and a prompt into one message. This is the prompt. */
function behindIntroduction(text: string): string | undefined {
  let rest = text
  for (let found = CONTEXT.exec(rest); found !== null; found = CONTEXT.exec(rest)) rest = rest.slice(found[0].length)
  return rest === text || rest === "" ? undefined : rest
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

function thoughtOf(thought: Json): Part {
  const [subject, description] = [textField(thought, "subject"), textField(thought, "description") ?? ""]
  return {
    type: "reasoning",
    text: subject === undefined || subject === "" ? description : `**${subject}** ${description}`,
  }
}
