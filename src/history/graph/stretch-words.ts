// What one line of the log view says about a run of entries.
import { entryText, unknownEntryWords } from "../../model/record/entry-text.ts"
import { ROLES } from "../../model/record/origin.ts"
import { KIND, type LogRecord, type MessageRecord, type ToolCallPart } from "../../model/record/record.ts"
import { inputWords, resultWords } from "../../model/record/tool-words.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { type History, NONE, type Row } from "../tree/tree.ts"
import type { Stretch } from "./graph.ts"

/** In longer stretches tool calls are not counted: that would cost more than it is worth. */
const MOST_COUNTED = 5_000

export interface StretchWords {
  /** What it starts with, if not a prompt: "note, discards 8:". */
  intro: string
  text: string
  messages: number
  calls: number
}

export function tell(history: History, stretch: Stretch): StretchWords {
  const record = history.record(stretch.named)
  const calls = callsIn(history, stretch)
  const { messages } = stretch
  const text = sanitiseLine((record && entryText(record)) ?? "")
  if (record?.type === "note") {
    const intro = record.checkpoint === undefined ? "summary" : "note"
    return { intro: `${intro}, discards ${record.discards}:`, text, messages, calls }
  }
  if (record?.type === "compaction") return { intro: compactionIntro(record), text, messages, calls }
  if (stretch.starts === "prompt") return { intro: "", text: text === "" ? "(no text)" : text, messages, calls }
  return { intro: "…", text: firstWords(history, stretch), messages, calls }
}

function compactionIntro(record: Extract<LogRecord, { type: "compaction" }>): string {
  if (record.tokens === undefined) return "compaction:"
  return `compaction, ${thousands(record.tokens.before)} → ${thousands(record.tokens.after)} tokens:`
}

function thousands(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)}k`
}

/** "12 messages, 9 calls", or less if there is less room. */
export function amounts(told: Pick<StretchWords, "messages" | "calls">, room: number): string {
  const messages = told.messages === 0 ? "" : count(told.messages, "message")
  if (room < 36) return ""
  if (room < 56 || told.calls === 0) return messages
  return `${messages}, ${count(told.calls, "call")}`
}

/** The rows of a stretch, newest first. */
function* rowsOf(history: History, stretch: Stretch): Generator<Row> {
  for (let row = stretch.last; row !== NONE; row = history.parent(row)) {
    yield row
    if (row === stretch.first) return
  }
}

function callsIn(history: History, stretch: Stretch): number {
  let calls = 0
  if (stretch.messages > MOST_COUNTED) return 0
  for (const row of rowsOf(history, stretch)) {
    if (history.kind(row) !== KIND.message || ROLES[history.role(row)] !== "assistant") continue
    const record = history.record(row)
    if (record?.type !== "message") continue
    for (const part of record.content) if (part.type === "tool-call") calls++
  }
  return calls
}

/**
 * For a round that continues after a fork: its first words, else the first tool called, else what kind of entry it is.
 */
function firstWords(history: History, stretch: Stretch): string {
  let words = ""
  let tool = ""
  let other = ""
  for (const row of rowsOf(history, stretch)) {
    const record = history.record(row)
    if (record === undefined) continue
    if (record.type !== "message") {
      other = otherWords(record)
      continue
    }
    const text = record.role === "tool" ? "" : sanitiseLine(entryText(record) ?? "")
    if (text !== "") words = text
    for (const part of record.content) if (part.type === "tool-call") tool = callWords(part)
    if (text === "" && tool === "") other = record.role === "tool" ? resultsOf(history, row, record) : record.role
  }
  return words !== "" ? words : tool !== "" ? `calls ${tool}` : other
}

/** "bash: ls" */
function callWords({ name, input }: Pick<ToolCallPart, "name" | "input">): string {
  const about = inputWords(input)
  return sanitiseLine(name).toLowerCase() + (about === "" ? "" : `: ${about}`)
}

/** Each result with its call, which is in an answer above. */
function resultsOf(history: History, row: Row, { content }: MessageRecord): string {
  const calls = new Map<string, ToolCallPart>()
  for (
    let at = history.parent(row);
    at !== NONE && calls.size === 0 && !history.isPrompt(at);
    at = history.parent(at)
  ) {
    const record = history.record(at)
    if (record?.type !== "message") continue
    for (const part of record.content) if (part.type === "tool-call") calls.set(part.call, part)
  }
  const told = content.flatMap((part) => {
    if (part.type !== "tool-result") return []
    const call = calls.get(part.call)
    const name = call === undefined ? sanitiseLine(part.name ?? "result").toLowerCase() : callWords(call)
    return [`${name} → ${resultWords(part)}`]
  })
  return told.length === 0 ? "results" : told.join(", ")
}

function otherWords(record: LogRecord): string {
  if (record.type === "checkpoint") return `checkpoint ${record.n}`
  if (record.type === "state") return `${sanitiseLine(record.key)} set`
  return record.type === "unknown-entry" ? sanitiseLine(unknownEntryWords(record)) : record.type
}
