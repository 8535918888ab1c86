// Reads plain messages, from bytes to drafts: a JSON array, an object with `messages`, or one message per line.
import type { Advice } from "../../model/failure/failure.ts"
import { isObject, type Json, parseJson } from "../../model/json.ts"
import { type MessageRecord, plainText } from "../../model/record/record.ts"
import { type ExportedTree, isExported, type ReadExport, readExported } from "./exported.ts"
import { type PlainDraft, readMessage } from "./message.ts"
import { readParents } from "./parents.ts"
import { readContent } from "./part.ts"
import { type UnknownPart, unknownParts } from "./unknown-parts.ts"

export type PlainMessages =
  /**
   * `unknown`: parts that no model gets; they are kept as they are. `parents`: for each draft the position of the one
   * it continues, null for none; absent if each continues the one before it.
   */
  | { ok: true; drafts: PlainDraft[]; unknown: UnknownPart[]; parents?: (number | null)[] }
  | { ok: true; tree: ExportedTree }
  /** `problem` completes "FILE cannot be imported:". */
  | { ok: false; problem: string; advice?: Advice }

/** Contract: all messages or none. Never throws. */
export function readPlain(bytes: Uint8Array): PlainMessages {
  const text = decode(bytes)
  if (text === undefined) return wrong("it is not text")
  if (text.trim() === "") return wrong("it is empty")
  const values = readValues(text)
  if (!values.ok || "tree" in values) return values
  if (values.messages.length === 0) return wrong("it contains no messages")
  return toDrafts(values)
}

/** One of our own logs needs no import. */
function ours(): { ok: false; problem: string; advice: Advice } {
  const step = { do: "split", session: "FILE" } as const
  return { ok: false, problem: "it is a session of retcon already", advice: ["Copy it with: ", step] }
}

function wrong(problem: string): { ok: false; problem: string } {
  return { ok: false, problem }
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

interface Values {
  ok: true
  /** Anthropic stores the system prompt outside the messages. */
  system: Json | undefined
  messages: Json[]
  /** What a problem calls a message. */
  place: "message" | "line"
  lines?: number[]
}

function readValues(text: string): Values | ReadExport {
  const whole = parseJson(text)
  if (!whole.ok)
    return text.trimStart().startsWith("{") ? readLines(text, whole.problem) : wrong(notJson(whole.problem))
  const { value } = whole
  if (Array.isArray(value)) return { ok: true, system: undefined, messages: value, place: "message" }
  if (!isObject(value)) return wrong("it is not a list of messages")
  if (isOurs(value)) return ours()
  if (isExported(value)) return readExported(value)
  if (Array.isArray(value.messages)) {
    return { ok: true, system: value.system, messages: value.messages, place: "message" }
  }
  return { ok: true, system: undefined, messages: [value], place: "message" }
}

function readLines(text: string, wholeProblem: string): Values | { ok: false; problem: string } {
  const messages: Json[] = []
  const lines: number[] = []
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue
    const parsed = parseJson(line)
    if (!parsed.ok)
      return wrong(messages.length === 0 ? notJson(wholeProblem) : `line ${index + 1} is ${cut(parsed.problem)}`)
    if (messages.length === 0 && isOurs(parsed.value)) return ours()
    if (isObject(parsed.value) && Array.isArray(parsed.value.messages)) {
      return wrong(`line ${index + 1} is a whole conversation; import one at a time`)
    }
    messages.push(parsed.value)
    lines.push(index + 1)
  }
  return { ok: true, system: undefined, messages, place: "line", lines }
}

function isOurs(value: Json): boolean {
  return isObject(value) && value.type === "session" && typeof value.reads === "number"
}

function notJson(problem: string): string {
  return `it is ${cut(problem)}`
}

/** The parser's message may quote the text. */
function cut(problem: string): string {
  return `not JSON (${problem.length > 100 ? `${problem.slice(0, 99)}…` : problem})`
}

function toDrafts({ system, messages, place, lines }: Values): PlainMessages {
  const read: Omit<MessageRecord, "id" | "parent" | "at">[] = []
  const unknown: UnknownPart[] = []
  const tree = readParents(messages)
  const parents: (number | null)[] = []
  /** The last draft of each message: what continues the message continues that draft. */
  const last: number[] = []
  const where = (index: number) => `${place} ${lines?.[index] ?? index + 1}`
  if (tree?.ok === false) return wrong(`${where(tree.at)}: ${tree.problem}`)
  for (const [index, value] of messages.entries()) {
    const message = readMessage(value, index)
    if (!message.ok) return wrong(`${where(index)}: ${message.problem}`)
    for (const [n, draft] of message.drafts.entries()) {
      unknown.push(...unknownParts(where(index), draft.content))
      const above = tree?.parents[index] ?? null
      parents.push(n > 0 ? read.length - 1 : above === null ? null : (last[above] as number))
      read.push(draft)
    }
    last.push(read.length - 1)
  }
  const content = readContent(system)
  if (content === undefined) return wrong('"system" is a text or a list of parts')
  const beside = plainText(content)
  const first = read[0]
  const leading = beside === "" && isOnlyText(first) && first?.role === "system" ? plainText(first.content) : ""
  unknown.unshift(...unknownParts("system", content))
  if (beside === "" && leading === "")
    return { ok: true, drafts: answerOldCalls(read), unknown, ...(tree && { parents }) }
  const state: PlainDraft = { type: "state", key: "system", value: beside || leading }
  const rest = answerOldCalls(beside === "" ? read.slice(1) : read)
  const drafts = [state, ...rest]
  if (tree === undefined) return { ok: true, drafts, unknown }
  // The system state replaces a leading system message, or comes first, and then the roots continue it.
  const placed = beside === "" ? parents : [null, ...parents.map((above) => (above === null ? 0 : above + 1))]
  return { ok: true, drafts, unknown, parents: placed }
}

function isOnlyText(message: Pick<MessageRecord, "content"> | undefined): boolean {
  return message?.content.every(({ type }) => type === "text") ?? false
}

/** A result without an id, as in role `function`, answers the last open call of that name. */
function answerOldCalls<Draft extends { content: MessageRecord["content"] }>(drafts: Draft[]): Draft[] {
  const open: { call: string; name: string }[] = []
  for (const { content } of drafts) {
    for (const part of content) {
      if (part.type === "tool-call") open.push(part)
      if (part.type !== "tool-result") continue
      const answered = open.findLastIndex(({ call, name }) =>
        part.call === "" ? part.name === undefined || part.name === name : part.call === call,
      )
      const [call] = answered === -1 ? [] : open.splice(answered, 1)
      if (part.call === "") part.call = call?.call ?? "unknown"
    }
  }
  return drafts
}
