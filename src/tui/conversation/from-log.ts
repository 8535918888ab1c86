// The end of a conversation from its log, as blocks: what you would have seen. What a backtrack discards stays above
// its rule, dimmed.
import { type History, NONE, type Row } from "../../history/tree/tree.ts"
import { DROPPED_WORDS } from "../../model/record/entry-text.ts"
import {
  KIND,
  type LogRecord,
  type MessageRecord,
  type NoteRecord,
  plainText,
  type ToolResultPart,
} from "../../model/record/record.ts"
import { count } from "../../model/text/amounts.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { Theme } from "../terminal/theme.ts"
import { type Block, type FoldedTexts, finished, noticeBlock, promptBlock } from "./block.ts"
import { type CallChanges, type LoggedCall, loggedCall, loggedShell } from "./logged-call.ts"
import { compactedBlock, noteLines } from "./note-lines.ts"
import { reasoningBlock } from "./reasoning-block.ts"
import { textBlock } from "./text-block.ts"
import { toolBlock } from "./tool-block.ts"
import { dimmed } from "./transcript.ts"

/** A block, and the row of the entry it shows. */
export interface LoggedBlock {
  block: Block
  row: Row
}

export interface BlockDeps {
  theme: Theme
  folded: FoldedTexts
}

const MOST_ENTRIES = 200
const MOST_LAST_ROUND = 40

/** Contract: reads at most a few hundred records, however long the log is. */
export function blocksFromLog(
  history: History,
  head: Row,
  parts: BlockDeps,
  what: "end" | "last-round",
): LoggedBlock[] {
  if (what === "last-round") {
    const prompt = head === NONE ? NONE : history.prompt(head)
    const stop = prompt === NONE ? NONE : history.parent(prompt)
    return blocksOf(history, lastRows(history, head, stop, MOST_LAST_ROUND), parts, DEEPEST)
  }
  const rows = lastRows(history, head, NONE, MOST_ENTRIES)
  const first = rows[0]
  const before = first === undefined ? 0 : history.depth(first) - 1
  const blocks = blocksOf(history, rows, parts, 0)
  if (before === 0) return blocks
  const text = `${count(before, "earlier entry", "earlier entries")}: see them with /tree`
  return [{ block: noticeBlock(parts.theme, "info", text), row: first ?? 0 }, ...blocks]
}

/** The last entry that can be shown for good: not an answer whose calls another process is still running. */
export function settledHead(history: History, head: Row): Row {
  const answered = new Set<string>()
  for (let row = head; row !== NONE; row = history.parent(row)) {
    const record = history.record(row)
    if (record?.type !== "message" || record.role === "user") return head
    if (record.role === "assistant") {
      const open = record.content.some((part) => part.type === "tool-call" && !answered.has(part.call))
      return open ? history.parent(row) : head
    }
    for (const part of record.content) if (part.type === "tool-result") answered.add(part.call)
  }
  return head
}

/** The last rows of the path to `head`, oldest first, down to but not including `stop`. Starts at a prompt. */
function lastRows(history: History, head: Row, stop: Row, most: number): Row[] {
  const rows: Row[] = []
  for (let row = head; row !== NONE && row !== stop; row = history.parent(row)) {
    if (rows.length >= most) break
    rows.push(row)
  }
  rows.reverse()
  if (rows.length < most) return rows
  const prompt = rows.findIndex((row) => history.isPrompt(row))
  return prompt === -1 ? rows : rows.slice(prompt)
}

const DEEPEST = 2
const MOST_DISCARDED = 100

function blocksOf(history: History, rows: readonly Row[], parts: BlockDeps, depth: number): LoggedBlock[] {
  const blocks: LoggedBlock[] = []
  const records = rows.map((row) => ({ row, record: history.record(row) }))
  const results = resultsOf(records.map(({ record }) => record))
  const changes = changesSince(history, rows[0])
  const { theme } = parts
  for (const { row, record } of records) {
    const add = (block: Block) => blocks.push({ block, row })
    if (record === undefined) add(noticeBlock(theme, "warning", "An entry here cannot be read: see /doctor"))
    else if (record.type === "message")
      for (const block of messageBlocks(record, { results, changes }, parts)) add(block)
    else if (record.type === "note") {
      if (depth < DEEPEST) blocks.push(...discarded(history, row, record, parts, depth))
      add(noteBlock(history, row, record, parts))
    } else if (record.type === "compaction") {
      add(compactedBlock("Compacted", record.summary, theme, parts.folded))
    } else if (record.type === "merge")
      add(compactedBlock("Brought from another branch", record.display ?? record.text, theme, parts.folded))
  }
  return blocks
}

function noteBlock(history: History, row: Row, record: NoteRecord, { theme, folded }: BlockDeps): Block {
  folded.add("Note from future", record.text)
  const prompt = history.prompt(row)
  const asked = prompt === NONE ? undefined : history.record(prompt)
  const returnedTo = asked?.type === "message" ? (asked.display ?? plainText(asked.content)) : null
  const told = { checkpoint: record.checkpoint, discards: record.discards, note: record.text, returnedTo }
  return finished("note", (width) => noteLines(told, width, theme, folded.key))
}

function discarded(history: History, row: Row, record: NoteRecord, parts: BlockDeps, depth: number): LoggedBlock[] {
  if (record.left === null) return []
  const left = history.rowOf(record.left)
  if (left === NONE) return []
  const rows = lastRows(history, left, history.parent(row), MOST_DISCARDED)
  return blocksOf(history, rows, parts, depth + 1).map(({ block }) => ({ block: dimBlock(block, parts.theme), row }))
}

function dimBlock(block: Block, theme: Theme): Block {
  return {
    kind: block.kind,
    get done() {
      return block.done
    },
    settle: (width) => block.settle(width).map((line) => dimmed(line, theme)),
    live: (width) => block.live(width).map((line) => dimmed(line, theme)),
    finish: () => block.finish(),
  }
}

/** What the snapshots since this row say about each call. */
function changesSince(history: History, first: Row = NONE): ReadonlyMap<string, CallChanges> {
  const changes = new Map<string, CallChanges>()
  if (first === NONE) return changes
  for (let row = history.last(KIND.snapshot); row !== NONE && row > first; row = history.link(row)) {
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.when !== "after" || record.call === undefined) continue
    const took = Date.parse(record.at) - Date.parse(record.since?.at ?? record.at)
    changes.set(record.call, { changes: record.changes ?? [], took })
  }
  return changes
}

interface Known {
  results: Results
  changes: ReadonlyMap<string, CallChanges>
}

type Results = ReadonlyMap<string, ToolResultPart>

function resultsOf(records: readonly (LogRecord | undefined)[]): Results {
  const results = new Map<string, ToolResultPart>()
  for (const record of records) {
    if (record?.type !== "message" || record.role !== "tool") continue
    for (const part of record.content) if (part.type === "tool-result") results.set(part.call, part)
  }
  return results
}

function messageBlocks(record: MessageRecord, { results, changes }: Known, parts: BlockDeps): Block[] {
  const { theme, folded } = parts
  if (record.role === "user") return userBlocks(record, parts)
  if (record.role !== "assistant") return []
  return record.content.flatMap((part): Block[] => {
    if (part.type === "text") return part.text.trim() === "" ? [] : [ended(textBlock(theme, part.text))]
    if (part.type === "reasoning") return [reasoningBlock(theme, folded, part.text)]
    if (part.type !== "tool-call") return []
    const result = results.get(part.call)
    if (part.name === "Backtrack" && result?.error !== true) return []
    return [callBlock(loggedCall(part, result, changes.get(part.call)), parts)]
  })
}

function callBlock({ call, end }: LoggedCall, { theme, folded }: BlockDeps): Block {
  const block = toolBlock(theme, folded, call)
  block.end(end)
  return block
}

function ended<Kind extends Block>(block: Kind): Kind {
  block.finish()
  return block
}

function userBlocks(record: MessageRecord, parts: BlockDeps): Block[] {
  const { theme } = parts
  const text = record.display ?? plainText(record.content)
  switch (record.origin) {
    case "prompt":
    case "command":
    case "task":
    case "unknown":
      return [
        promptBlock(theme, text),
        ...(record.dropped === true ? [noticeBlock(theme, "warning", `(${DROPPED_WORDS})`)] : []),
      ]
    case "steer":
      return [promptBlock(theme, text, "+")]
    case "shell": {
      const shell = loggedShell(record)
      return [shell === undefined ? promptBlock(theme, text.replace(/^!/, ""), "!") : callBlock(shell, parts)]
    }
    case "interrupt":
      return [noticeBlock(theme, "warning", "Stopped.")]
    case "skill":
    case "injection":
    case "notification":
    case "hook":
    case "retry":
    case "agent":
    case "tool":
    case "summary":
    case "note":
    case "move":
      return []
    default:
      return unreachable(record.origin)
  }
}
