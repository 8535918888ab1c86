// What the model sees: the path since the last compaction, as messages. Same records, same head: same bytes.
import { KIND } from "../model/kind.ts"
import type { Role } from "../model/origin.ts"
import type { Part } from "../model/part.ts"
import { type CompactionRecord, type NoteRecord, SYSTEM_KEY } from "../model/record.ts"
import { unreachable } from "../model/unreachable.ts"
import { isOnPath, path } from "./path.ts"
import { stateAt } from "./state.ts"
import { settleToolCalls } from "./tool-calls.ts"
import { type History, NONE, type Row } from "./tree.ts"

export interface ContextMessage {
  role: Role
  content: Part[]
}

export interface ContextOptions {
  /** Show the numbers of checkpoints: only when the Backtrack tool is offered. */
  checkpoints?: "shown" | "hidden"
}

/** The context if we stood at `head`. Costs what the path since the last compaction costs. */
export function contextAt(history: History, head: Row = history.head, options: ContextOptions = {}): ContextMessage[] {
  const messages: ContextMessage[] = []
  const system = stateAt(history, head, SYSTEM_KEY)
  if (typeof system === "string") messages.push({ role: "system", content: [textPart(system)] })
  const { compaction, kept, rest } = contextRows(history, head)
  const record = compaction === NONE ? undefined : history.record(compaction)
  if (record?.type === "compaction") messages.push(compactionMessage(record))
  for (const row of kept) addEntry(messages, history, row, "hidden")
  for (const row of rest) addEntry(messages, history, row, options.checkpoints ?? "hidden")
  return settleToolCalls(messages)
}

/** Which rows a context is made from, in order: a compaction, the tail it kept, and what came after it. */
export function contextRows(history: History, head: Row): { compaction: Row; kept: Row[]; rest: Row[] } {
  const compaction = history.compaction(head)
  const rest = path(history, head, compaction)
  return { compaction, kept: compaction === NONE ? [] : keptTail(history, compaction), rest }
}

function keptTail(history: History, compaction: Row): Row[] {
  const record = history.record(compaction)
  if (record?.type !== "compaction" || record.keepFrom === null) return []
  const from = history.rowOf(record.keepFrom)
  const last = history.parent(compaction)
  if (from === NONE || last === NONE || !isOnPath(history, from, last)) return []
  return path(history, last, history.parent(from))
}

function addEntry(messages: ContextMessage[], history: History, row: Row, checkpoints: "shown" | "hidden"): void {
  if (saysNothing(history.kind(row), checkpoints)) return
  const record = history.record(row)
  if (record === undefined) return
  switch (record.type) {
    case "message":
      // No provider takes a message without content.
      if (record.content.length > 0) messages.push({ role: record.role, content: [...record.content] })
      return
    case "checkpoint":
      if (checkpoints === "shown") attach(messages, `<system>Checkpoint ${record.n}</system>`)
      return
    case "note":
      attach(messages, noteText(record))
      return
    case "merge":
      attach(messages, `<system>From another branch: ${record.text}</system>`)
      return
    case "compaction":
    case "state":
    case "unknown-entry":
    case "session":
    case "operation":
    case "snapshot":
    case "label":
    case "config":
    case "unknown":
      return
    default:
      unreachable(record)
  }
}

/** Entries that need not be read, because no context shows them. */
function saysNothing(kind: number, checkpoints: "shown" | "hidden"): boolean {
  return kind === KIND.state || kind === KIND.compaction || (kind === KIND.checkpoint && checkpoints === "hidden")
}

/** Adds a part of its own to the user or tool message before it, so that the bytes before it stay the same. */
function attach(messages: ContextMessage[], text: string): void {
  const last = messages.at(-1)
  if (last?.role === "user" || last?.role === "tool") last.content.push(textPart(text))
  else messages.push({ role: "user", content: [textPart(text)] })
}

function noteText(note: NoteRecord): string {
  const facts = note.facts.map((fact) => `\n- ${fact}`).join("")
  const intro = note.checkpoint === undefined ? "Summary of what was left" : "Note from your future self"
  return `<system>${intro}: ${note.text}${facts === "" ? "" : `\n\nStill true:${facts}`}</system>`
}

function compactionMessage(record: CompactionRecord): ContextMessage {
  const intro = "<system>Previous context has been compacted. Here is the compaction output:</system>"
  const content = [textPart(intro), textPart(record.summary)]
  if (record.prompts.length > 0) {
    content.push(textPart("<system>What the user asked before, word for word, oldest first:</system>"))
    for (const prompt of record.prompts) content.push(textPart(prompt))
  }
  return { role: "user", content }
}

function textPart(text: string): Part {
  return { type: "text", text }
}
