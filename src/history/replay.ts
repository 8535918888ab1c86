// How each record moves the head, and what undo and redo would do after it. Everything a rewind needs is in the row,
// so that nothing has to be replayed when a log is opened.
import type { Facts, MoveFacts } from "../model/facts.ts"
import { idWords } from "../model/id-words.ts"
import { isEntryKind, KIND } from "../model/kind.ts"
import { COLUMN, FLAG, WORDS } from "./columns.ts"
import { type Before, type Rows, startOf } from "./rows.ts"
import { NONE, type Row } from "./tree.ts"

/** What a word can count to. */
const WORD = 0x1_0000_0000

/** Where the line stands in the log. */
export interface Place {
  offset: number
  length: number
}

/**
 * Adds the row of one line. Contract: lines are given in log order, each once. `fresh`: the id was made just now, so
 * no earlier record can have it.
 */
export function replay(rows: Rows, facts: Facts, place: Place, fresh = false): Row {
  const { before, next: words } = rows
  rows.standAtEnd()
  for (let i = 0; i < 4; i++) words[i] = facts.id[i] as number
  for (let i = 4; i < WORDS; i++) words[i] = NONE
  const high = place.offset < WORD ? 0 : Math.floor(place.offset / WORD)
  words[COLUMN.offsetLow] = place.offset - high * WORD
  words[COLUMN.offsetHigh] = high
  words[COLUMN.length] = Math.min(place.length, NONE)
  words[COLUMN.depth] = 0
  words[COLUMN.round] = 0
  words[COLUMN.messages] = 0
  carry(words, before)
  let flags = before.open ? FLAG.open : 0
  let kind: number = facts.kind
  if (kind === KIND.blank || kind === KIND.damaged) words.fill(0, 0, 4)
  else if (!fresh && rows.rowOfWords(facts.id) !== NONE) {
    kind = KIND.damaged
    flags |= FLAG.duplicate
  } else if (isEntryKind(kind)) flags = replayEntry(rows, facts, before)
  else if (kind === KIND.operation && facts.move !== undefined) flags = replayMove(rows, facts.move, before)
  else if (kind !== KIND.unknown) words[COLUMN.link] = rows.last(kind)
  words[COLUMN.codes] = ((flags << 24) | (facts.origin << 16) | (facts.role << 8) | kind) >>> 0
  return rows.push()
}

function carry(words: Uint32Array, before: Before): void {
  words[COLUMN.head] = before.head
  words[COLUMN.undo] = before.undo
  words[COLUMN.redo] = before.redo
}

function replayEntry(rows: Rows, facts: Facts, before: Before): number {
  const words = rows.next
  const row = rows.size
  const parent = facts.hasParent ? nearHead(rows, facts.parent, before.head) : NONE
  const held = parent !== NONE && isEntryKind(rows.kind(parent))
  const above = held ? parent : NONE
  words[COLUMN.parent] = above
  if (above !== NONE) inherit(words, rows.pageOf(above), startOf(above))
  words[COLUMN.jump] = jumpFrom(rows, above)
  words[COLUMN.depth] = (words[COLUMN.depth] as number) + 1
  if (facts.kind === KIND.message) words[COLUMN.messages] = (words[COLUMN.messages] as number) + 1
  if (facts.prompt) {
    words[COLUMN.prompt] = row
    words[COLUMN.round] = (words[COLUMN.round] as number) + 1
  }
  if (facts.kind === KIND.compaction) words[COLUMN.compaction] = row
  else if (facts.kind === KIND.checkpoint) words[COLUMN.checkpoint] = row
  else if (facts.kind === KIND.state) {
    words[COLUMN.state] = row
    words[COLUMN.unit] = facts.system ? row : rows.system(above)
  }
  words[COLUMN.head] = row
  words[COLUMN.redo] = NONE
  if (!joins(rows, facts, before, above)) {
    words[COLUMN.link] = before.undo
    words[COLUMN.undo] = row
  }
  return FLAG.open | (facts.prompt ? FLAG.prompt : 0) | (facts.hasParent && !held ? FLAG.lost : 0)
}

/** What an entry has from the one above it. */
function inherit(words: Uint32Array, page: Uint32Array, at: number): void {
  words[COLUMN.depth] = page[at + COLUMN.depth] as number
  words[COLUMN.messages] = page[at + COLUMN.messages] as number
  words[COLUMN.prompt] = page[at + COLUMN.prompt] as number
  words[COLUMN.round] = page[at + COLUMN.round] as number
  words[COLUMN.compaction] = page[at + COLUMN.compaction] as number
  words[COLUMN.state] = page[at + COLUMN.state] as number
  words[COLUMN.checkpoint] = page[at + COLUMN.checkpoint] as number
}

/** Most entries continue the head, and most moves start there: its id is at hand. */
function nearHead(rows: Rows, words: Uint32Array, head: Row): Row {
  return head !== NONE && rows.hasId(head, words) ? head : rows.rowOfWords(words)
}

/** As far up again as the entry above jumps, when that jumps as far as the one it jumps to; else one step. */
function jumpFrom(rows: Rows, above: Row): Row {
  const far = rows.jump(above)
  const farther = rows.jump(far)
  return rows.depth(above) - rows.depth(far) === rows.depth(far) - rows.depth(farther) ? farther : above
}

/**
 * Whether an appended entry belongs to the last unit: nothing moved since, and the round goes on. What stands before
 * the first prompt, such as a system prompt, belongs to the first round. A note or a compaction stands alone.
 */
function joins(rows: Rows, facts: Facts, before: Before, above: Row): boolean {
  if (!before.open || before.undo === NONE || above !== before.head) return false
  if (facts.kind === KIND.note || facts.kind === KIND.compaction) return false
  return !facts.prompt || rows.round(above) === 0
}

function replayMove(rows: Rows, move: MoveFacts, before: Before): number {
  const words = rows.next
  const row = rows.size
  const to = target(rows, move.to, before.head)
  if (to === undefined) return FLAG.lost | (before.open ? FLAG.open : 0)
  // When where it came from cannot be read, undo leads to where the log stood.
  words[COLUMN.parent] = target(rows, move.from, before.head) ?? before.head
  words[COLUMN.head] = to
  if (move.kind === "undo" && undoes(rows, move, before, row)) return 0
  if (move.kind === "redo" && redoes(rows, move, before)) return 0
  words[COLUMN.undo] = row
  words[COLUMN.redo] = NONE
  const ownEntry = before.open && before.undo === to && before.head === to && standsAlone(rows, to)
  words[COLUMN.link] = ownEntry ? rows.link(to) : before.undo
  return 0
}

/** A note or compaction was appended for the operation that follows: together they are one unit. */
function standsAlone(rows: Rows, row: Row): boolean {
  return row !== NONE && (rows.kind(row) === KIND.note || rows.kind(row) === KIND.compaction)
}

/** Takes the last unit off. Another writer may have been quicker: then this is a move like any other. */
function undoes(rows: Rows, move: MoveFacts, before: Before, row: Row): boolean {
  const words = rows.next
  if (before.undo === NONE || move.undoes !== rows.id(before.undo)) return false
  words[COLUMN.unit] = before.undo
  words[COLUMN.undo] = rows.link(before.undo)
  words[COLUMN.redo] = row
  words[COLUMN.link] = before.redo
  return true
}

function redoes(rows: Rows, move: MoveFacts, before: Before): boolean {
  const words = rows.next
  if (before.redo === NONE || move.undoes !== rows.id(before.redo)) return false
  words[COLUMN.undo] = rows.unit(before.redo)
  words[COLUMN.redo] = rows.link(before.redo)
  return true
}

/** The row of a move's end; undefined when it is not an entry of this log. */
function target(rows: Rows, id: string | null, head: Row): Row | undefined {
  if (id === null) return NONE
  const row = nearHead(rows, idWords(id), head)
  return row !== NONE && isEntryKind(rows.kind(row)) ? row : undefined
}
