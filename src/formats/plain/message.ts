// One message of an OpenAI or Anthropic client as our entries.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { MessageRecord, Part, StateRecord } from "../../model/record/record.ts"
import { readContent, readToolCall, toolResult } from "./part.ts"

type Draft<Kind> = Omit<Kind, "id" | "parent" | "at">
export type PlainDraft = Draft<MessageRecord> | Draft<StateRecord>

export type ReadMessage = { ok: true; drafts: Draft<MessageRecord>[] } | { ok: false; problem: string }

export function readMessage(value: Json, index: number): ReadMessage {
  if (!isObject(value)) return wrong("a message is an object with a role and content")
  const content = readContent(value.content)
  if (content === undefined) return wrong("the content is a text or a list of parts")
  const read = typeof value.role === "string" ? BY_ROLE.get(value.role) : undefined
  return read === undefined ? wrong(roleProblem(value)) : read(value, content, index)
}

type Reader = (value: JsonObject, content: Part[], index: number) => ReadMessage

const system: Reader = (value, content) => {
  return { ok: true, drafts: [draft(value, { role: "system", origin: "injection" }, content)] }
}
const tool: Reader = (value, content) => {
  return { ok: true, drafts: [draft(value, { role: "tool", origin: "tool" }, results(value, content))] }
}

const BY_ROLE = new Map<string, Reader>([
  ["user", (value, content) => ({ ok: true, drafts: userDrafts(value, content) })],
  ["assistant", assistantDraft],
  ["system", system],
  ["developer", system],
  ["tool", tool],
  ["function", tool],
])

function wrong(problem: string): ReadMessage {
  return { ok: false, problem }
}

function roleProblem(value: JsonObject): string {
  return typeof value.role === "string"
    ? `the role "${value.role.slice(0, 40)}" is not one of user, assistant, system, developer, tool`
    : "a message has a role"
}

function draft(value: JsonObject, who: Pick<MessageRecord, "role" | "origin">, content: Part[]): Draft<MessageRecord> {
  const made: Draft<MessageRecord> = { type: "message", ...who, content }
  if (typeof value.model === "string") made.model = value.model
  if (typeof value.name === "string" && who.role !== "tool") made.meta = { name: value.name }
  return made
}

/** Anthropic clients send tool results as a user; what the person typed with them is a separate prompt. */
function userDrafts(value: JsonObject, content: Part[]): Draft<MessageRecord>[] {
  const answers = content.filter((part) => part.type === "tool-result")
  const typed = content.filter((part) => part.type !== "tool-result")
  const drafts = answers.length > 0 ? [draft(value, { role: "tool", origin: "tool" }, answers)] : []
  if (typed.length > 0 || answers.length === 0) drafts.push(draft(value, { role: "user", origin: "prompt" }, typed))
  return drafts
}

function assistantDraft(value: JsonObject, content: Part[], index: number): ReadMessage {
  const thought = value.reasoning_content ?? value.reasoning
  const before: Part[] = typeof thought === "string" && thought !== "" ? [{ type: "reasoning", text: thought }] : []
  const refused: Part[] =
    typeof value.refusal === "string" && value.refusal !== "" ? [{ type: "text", text: value.refusal }] : []
  const calls: Part[] = []
  for (const [n, call] of callsOf(value).entries()) {
    const part = readToolCall(call, callName(index, n))
    if (part === undefined) return wrong("a tool call has a function with a name")
    calls.push(part)
  }
  return {
    ok: true,
    drafts: [draft(value, { role: "assistant", origin: "agent" }, [...before, ...content, ...refused, ...calls])],
  }
}

function callsOf(value: JsonObject): Json[] {
  if (Array.isArray(value.tool_calls)) return value.tool_calls
  return isObject(value.function_call) ? [value.function_call] : []
}

/** The old `function_call` has no id: the call is named by its position, and the next result answers it. */
function callName(index: number, n: number): string {
  return n === 0 ? `call-${index + 1}` : `call-${index + 1}-${n + 1}`
}

function results(value: JsonObject, content: Part[]): Part[] {
  if (content.some((part) => part.type === "tool-result")) return content
  const name = typeof value.name === "string" ? value.name : undefined
  const call = typeof value.tool_call_id === "string" ? value.tool_call_id : ""
  return [toolResult(call, content, name)]
}
