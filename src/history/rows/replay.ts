// How each record moves the head, and what undo and redo would do after it. The row contains all that a rewind needs,
// so that opening a log replays nothing.
import { idWords } from "../../model/id-words.ts"
import type { Facts, MoveFacts } from "../../model/record/facts.ts"
import { isEntryKind, KIND } from "../../model/record/record.ts"
import { SYSTEM_NUMBER } from "../../model/record/state-key.ts"
import { NONE, type Row } from "../tree/tree.ts"
import { COLUMN, FLAG, WORDS } from "./columns.ts"
import { type Before, type Rows, startOf } from "./rows.ts"
import { undoPoint } from "./undo-point.ts"

/** The number of values of a word. */
const WORD = 0x1_0000_0000

/** Where the line is in the log. */
export interface LineRange {
  offset: number
  length: number
}

/**
 * Adds the row of one line. Contract: lines come in log order, each once. `fresh`: the id was created just now, so
 * no earlier record can have it. `parent`: the row of an entry's parent, if known; otherwise its id is looked up.
 */
export function replay(rows: Rows, facts: Facts, place: LineRange, fresh = false, parent?: Row): Row {
  const { before, size: row } = rows
  rows.standAtEnd()
  const [page, at] = [rows.pageOf(row), startOf(row)]
  for (let i = 0; i < 4; i++) page[at + i] = facts.id[i] as number
  for (let i = 4; i < WORDS; i++) page[at + i] = NONE
  const high = place.offset < WORD ? 0 : Math.floor(place.offset / WORD)
  page[at + COLUMN.offsetLow] = place.offset - high * WORD
  page[at + COLUMN.offsetHigh] = high
  page[at + COLUMN.length] = Math.min(place.length, NONE)
  page[at + COLUMN.depth] = 0
  page[at + COLUMN.round] = 0
  page[at + COLUMN.messages] = 0
  page[at + COLUMN.head] = before.head
  page[at + COLUMN.undo] = before.undo
  page[at + COLUMN.redo] = before.redo
  let flags = before.open ? FLAG.open : 0
  let kind: number = facts.kind
  if (kind === KIND.blank || kind === KIND.damaged) page.fill(0, at, at + 4)
  else if (!fresh && rows.rowOfWords(facts.id) !== NONE) {
    kind = KIND.damaged
    flags |= FLAG.duplicate
  } else if (isEntryKind(kind)) flags = replayEntry(rows, facts, parent ?? parentOf(rows, facts), page, at)
  else if (kind === KIND.operation && facts.move !== undefined) {
    flags = replayMove(rows, facts.move, page, at) | (facts.move.files ? FLAG.files : 0)
  } else if (kind !== KIND.unknown) page[at + COLUMN.link] = rows.last(kind)
  page[at + COLUMN.codes] = ((flags << 24) | (facts.origin << 16) | (facts.role << 8) | kind) >>> 0
  return rows.push()
}

function parentOf(rows: Rows, facts: Facts): Row {
  return facts.hasParent ? nearHead(rows, facts.parent, rows.before.head) : NONE
}

function replayEntry(rows: Rows, facts: Facts, parent: Row, page: Uint32Array, at: number): number {
  const { before, size: row } = rows
  const flag = before.open ? FLAG.open : 0
  const held = parent !== NONE && isEntryKind(rows.kind(parent))
  const above = held ? parent : NONE
  const lost = facts.hasParent && !held ? FLAG.lost : 0
  page[at + COLUMN.parent] = above
  if (above !== NONE) inherit(page, at, rows.pageOf(above), startOf(above))
  page[at + COLUMN.jump] = jumpFrom(rows, above)
  page[at + COLUMN.depth] = (page[at + COLUMN.depth] as number) + 1
  if (facts.kind === KIND.message) page[at + COLUMN.messages] = (page[at + COLUMN.messages] as number) + 1
  if (facts.prompt) {
    page[at + COLUMN.prompt] = row
    page[at + COLUMN.round] = (page[at + COLUMN.round] as number) + 1
  }
  if (facts.kind === KIND.compaction) page[at + COLUMN.compaction] = row
  else if (facts.kind === KIND.checkpoint) page[at + COLUMN.checkpoint] = row
  else if (facts.kind === KIND.state) {
    page[at + COLUMN.state] = row
    page[at + COLUMN.unit] = facts.origin === SYSTEM_NUMBER ? row : rows.system(above)
  }
  // Only the operation that was written with it moves the head there: without that, it is half a move.
  if (!facts.movesHead) {
    if (facts.kind === KIND.note) page[at + COLUMN.link] = rows.last(KIND.note)
    return flag | lost
  }
  if (lost === 0) standAt(rows, above)
  page[at + COLUMN.head] = row
  page[at + COLUMN.redo] = NONE
  if (joins(rows, facts, before, above)) page[at + COLUMN.undo] = before.undo
  else {
    page[at + COLUMN.link] = before.undo
    page[at + COLUMN.undo] = row
  }
  return FLAG.open | (facts.prompt ? FLAG.prompt : 0) | lost
}

/** A record starts from its writer's position (`head`), not from what another writer has done since. */
function standAt(rows: Rows, head: Row): void {
  if (head !== rows.before.head) rows.standAfter(undoPoint(rows, head))
}

/** What an entry takes over from its parent. */
function inherit(page: Uint32Array, at: number, from: Uint32Array, above: number): void {
  page[at + COLUMN.depth] = from[above + COLUMN.depth] as number
  page[at + COLUMN.messages] = from[above + COLUMN.messages] as number
  page[at + COLUMN.prompt] = from[above + COLUMN.prompt] as number
  page[at + COLUMN.round] = from[above + COLUMN.round] as number
  page[at + COLUMN.compaction] = from[above + COLUMN.compaction] as number
  page[at + COLUMN.state] = from[above + COLUMN.state] as number
  page[at + COLUMN.checkpoint] = from[above + COLUMN.checkpoint] as number
}

/** Most entries continue the head, and most moves start there, so that is checked first. */
function nearHead(rows: Rows, words: Uint32Array, head: Row): Row {
  return head !== NONE && rows.hasId(head, words) ? head : rows.rowOfWords(words)
}

/** If the entry above and the one it jumps to jump equally far, continue both jumps; otherwise go one step up. */
function jumpFrom(rows: Rows, above: Row): Row {
  const far = rows.jump(above)
  const farther = rows.jump(far)
  return rows.depth(above) - rows.depth(far) === rows.depth(far) - rows.depth(farther) ? farther : above
}

/**
 * Whether an appended entry belongs to the last unit: the round continues, and nothing moved since then, except the
 * agent by Backtrack. What precedes the first prompt, such as a system prompt, belongs to the first round.
 */
function joins(rows: Rows, facts: Facts, before: Before, above: Row): boolean {
  if (!before.open || before.undo === NONE || above !== before.head) return false
  return !facts.prompt || rows.round(above) === 0
}

/**
 * What was taken in from another log moves nothing: all is as after the line before its first. Undefined if that is not in the log:
 * then it is a move like any other.
 */
function replayTake(rows: Rows, takes: string, page: Uint32Array, at: number): number | undefined {
  const first = rows.rowOfWords(idWords(takes))
  if (first === NONE || !isEntryKind(rows.kind(first))) return undefined
  const { before } = rows
  rows.standAfter(first === 0 ? NONE : first - 1)
  page[at + COLUMN.parent] = before.head
  page[at + COLUMN.head] = before.head
  page[at + COLUMN.undo] = before.undo
  page[at + COLUMN.redo] = before.redo
  page[at + COLUMN.link] = first
  return before.open ? FLAG.open : 0
}

function replayMove(rows: Rows, move: MoveFacts, page: Uint32Array, at: number): number {
  const { before, size: row } = rows
  const taken = move.takes === undefined ? undefined : replayTake(rows, move.takes, page, at)
  if (taken !== undefined) return taken
  const to = target(rows, move.to, before.head)
  if (to === undefined) return FLAG.lost | (before.open ? FLAG.open : 0)
  // If the move's origin cannot be read, undo leads to where the head was.
  const from = target(rows, move.from, before.head) ?? before.head
  standAt(rows, from)
  page[at + COLUMN.parent] = from
  page[at + COLUMN.head] = to
  if (move.kind === "undo" && undoes(rows, move, page, at)) return 0
  if (move.kind === "redo" && redoes(rows, move, page, at)) return 0
  page[at + COLUMN.undo] = row
  page[at + COLUMN.redo] = NONE
  page[at + COLUMN.link] = before.undo
  // The agent continues from where it went back to: what it says there is undone together with the move.
  return move.kind === "backtrack" ? FLAG.open : 0
}

/** Removes the last unit. If another writer was quicker, this is a move like any other. */
function undoes(rows: Rows, move: MoveFacts, page: Uint32Array, at: number): boolean {
  const { before, size: row } = rows
  if (before.undo === NONE || move.undoes !== rows.id(before.undo)) return false
  page[at + COLUMN.unit] = before.undo
  page[at + COLUMN.undo] = rows.link(before.undo)
  page[at + COLUMN.redo] = row
  page[at + COLUMN.link] = before.redo
  return true
}

function redoes(rows: Rows, move: MoveFacts, page: Uint32Array, at: number): boolean {
  const { before } = rows
  if (before.redo === NONE || move.undoes !== rows.id(before.redo)) return false
  page[at + COLUMN.undo] = rows.unit(before.redo)
  page[at + COLUMN.redo] = rows.link(before.redo)
  return true
}

/** The row of a move's target; undefined if it is not an entry of this log. */
function target(rows: Rows, id: string | null, head: Row): Row | undefined {
  if (id === null) return NONE
  const row = nearHead(rows, idWords(id), head)
  return row !== NONE && isEntryKind(rows.kind(row)) ? row : undefined
}
