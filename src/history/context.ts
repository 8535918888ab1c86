// What the model sees: the path since the last compaction, as messages. Same records, same head: same bytes.
import { KIND } from "../model/kind.ts"
import type { Role } from "../model/origin.ts"
import type { Part } from "../model/part.ts"
import { type CompactionRecord, type NoteRecord, type StateRecord, SYSTEM_KEY } from "../model/record.ts"
import { unreachable } from "../model/unreachable.ts"
import { unbound } from "./bound.ts"
import { isOnPath, path } from "./path.ts"
import { type Settled, settleLast, settleNext } from "./tool-calls.ts"
import { entryId, type History, NONE, type Row } from "./tree.ts"

export interface ContextMessage {
  role: Role
  content: Part[]
}

export interface ContextOptions {
  /** Whether the numbers of checkpoints are shown. By default as the path says: when Backtrack was offered last. */
  checkpoints?: "shown" | "hidden"
}

/** The context if we stood at `head`. Costs what the path since the last compaction costs. */
export function contextAt(history: History, head: Row = history.head, options: ContextOptions = {}): ContextMessage[] {
  return growingContext(history, options)(head)
}

/**
 * Contexts of heads that follow each other, as the steps of a turn do: what the last one holds is not made again.
 * Contract: each answer is what `contextAt` gives. Messages are shared between answers, and never changed.
 */
export function growingContext(history: History, options: ContextOptions = {}): (head: Row) => ContextMessage[] {
  let made: Draft | undefined
  return (head) => {
    const draft = made !== undefined && leadsTo(history, made, head) ? made : begin(history, head, options)
    for (const row of path(history, head, draft.head)) addEntry(draft, history, row, history.depth(row) > draft.unbound)
    draft.head = head
    draft.id = entryId(history, head)
    made = draft
    return answer(draft)
  }
}

/** A context in the making. Its last message may still get parts, and is settled when another follows. */
interface Draft {
  head: Row
  /** Of the head: a log that was read anew may have other rows. */
  id: string | null
  settled: Settled
  last: ContextMessage | undefined
  /** The last message is part of an answer: it gets no more parts, a copy does. */
  given: boolean
  checkpoints: "shown" | "hidden"
  /** Answers up to this depth were made behind another beginning: other instructions, other tools, another model. */
  unbound: number
}

function leadsTo(history: History, draft: Draft, head: Row): boolean {
  if (draft.head === NONE || draft.head >= history.size || history.id(draft.head) !== draft.id) return false
  const same = (of: (row: Row) => Row) => of(draft.head) === of(head)
  const unbroken = same((row) => history.compaction(row)) && same((row) => history.system(row))
  return unbroken && head !== NONE && isOnPath(history, draft.head, head)
}

/** What stands before the path: the system prompt, the last compaction, and the tail it kept. */
function begin(history: History, head: Row, options: ContextOptions): Draft {
  const compaction = history.compaction(head)
  const settled: Settled = { messages: [], open: [] }
  const beginning = beginningAt(history, head)
  const draft: Draft = {
    head: compaction,
    id: null,
    settled,
    last: undefined,
    given: false,
    checkpoints: "hidden",
    unbound: beginning === undefined ? 0 : history.depth(history.system(head)),
  }
  if (typeof beginning?.value === "string") add(draft, { role: "system", content: [textPart(beginning.value)] })
  const record = compaction === NONE ? undefined : history.record(compaction)
  if (record?.type === "compaction") add(draft, compactionMessage(record))
  // What stands before the tail is not what stood there: its answers are shown without what was bound to that.
  if (compaction !== NONE) for (const row of keptTail(history, compaction)) addEntry(draft, history, row, false)
  draft.checkpoints = options.checkpoints ?? (beginning?.with?.checkpoints === true ? "shown" : "hidden")
  return draft
}

/** The entry that says what stands before the conversation at `head`: the system prompt, and what else was sent. */
export function beginningAt(history: History, head: Row): StateRecord | undefined {
  const row = history.system(head)
  const record = row === NONE ? undefined : history.record(row)
  return record?.type === "state" && record.key === SYSTEM_KEY ? record : undefined
}

function add(draft: Draft, message: ContextMessage): void {
  if (draft.last !== undefined) settleNext(draft.settled, draft.last)
  draft.last = message
  draft.given = false
}

function answer(draft: Draft): ContextMessage[] {
  const { messages, open } = draft.settled
  const whole: Settled = { messages: [...messages], open }
  if (draft.last !== undefined) settleNext(whole, draft.last)
  draft.given = true
  return settleLast(whole)
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

/** `bound`: what stands before it is what stood there when it was made. */
function addEntry(draft: Draft, history: History, row: Row, bound: boolean): void {
  if (saysNothing(history.kind(row), draft.checkpoints)) return
  const record = history.record(row)
  if (record === undefined) return
  switch (record.type) {
    case "message": {
      const content = bound || record.role !== "assistant" ? [...record.content] : unbound(record.content)
      // No provider takes a message without content.
      if (content.length > 0) add(draft, { role: record.role, content })
      return
    }
    case "checkpoint":
      attach(draft, `<system>Checkpoint ${record.n}</system>`)
      return
    case "note":
      attach(draft, noteText(record))
      return
    case "merge":
      attach(draft, `<system>From another branch: ${record.text}</system>`)
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
function attach(draft: Draft, text: string): void {
  const { last } = draft
  if (last?.role !== "user" && last?.role !== "tool") {
    add(draft, { role: "user", content: [textPart(text)] })
    return
  }
  if (draft.given) draft.last = { role: last.role, content: [...last.content] }
  draft.given = false
  draft.last?.content.push(textPart(text))
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
