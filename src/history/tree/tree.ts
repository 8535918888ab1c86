// What history knows about a log: one row per line, in order. Rows are positions: outside, identity is always an id.
import type { EntryId, RecordId } from "../../model/id.ts"
import type { LogRecord } from "../../model/record/record.ts"

/** The number of a line, from 0. Valid for one open log; never stored in a record. */
export type Row = number

/** No row: the empty conversation, no parent, nothing to undo. */
export const NONE: Row = 0xffffffff

/**
 * Contract: a row never changes once it exists, and refers only to earlier rows. The cost of a call does not depend on
 * the size. For rows that are not entries, calls about what only entries have return NONE, 0 or false.
 */
export interface Tree {
  readonly size: number
  /** The head after replaying all rows, or NONE. */
  readonly head: Row
  kind(row: Row): number
  /** Index into ROLES. */
  role(row: Row): number
  /** Index into ORIGINS. */
  origin(row: Row): number
  isPrompt(row: Row): boolean
  /** Whether it is an operation that went with the files. */
  movesFiles(row: Row): boolean
  /** Whether it is an operation by which the agent went back to a checkpoint. */
  isBacktrack(row: Row): boolean
  /** The parent of an entry; where an operation came from. */
  parent(row: Row): Row
  /** An entry further up, chosen so that every ancestor can be reached in logarithmically many steps (see path.ts). */
  jump(row: Row): Row
  /** The head after this row. */
  headAfter(row: Row): Row
  /** Entries from the root to here, inclusive. */
  depth(row: Row): number
  /** Messages among them. */
  messages(row: Row): number
  /** The nearest prompt, compaction, state entry or checkpoint, at the row or above it. */
  prompt(row: Row): Row
  compaction(row: Row): Row
  state(row: Row): Row
  /** The key of a state entry if it is one of retcon's own. Undefined: use `record`. */
  stateKey(row: Row): string | undefined
  checkpoint(row: Row): Row
  /** The nearest state entry with the system prompt, at the row or above it. */
  system(row: Row): Row
  /** Prompts from the root to here. */
  round(row: Row): number
  /** The first row of the last unit not undone, after this row. */
  undo(row: Row): Row
  /** The undo operation that redo would take back, after this row. */
  redo(row: Row): Row
  /**
   * For the first row of a unit: the unit before it. For an undo: the undo below it. For a label, config, snapshot, or
   * a note that was written with its operation: the one before it.
   */
  link(row: Row): Row
  /** For an undo operation: the unit it undid. For a state entry: what `system` returns. */
  unit(row: Row): Row
  /** The last label, config, snapshot, session or note row. */
  last(kind: number): Row
  id(row: Row): RecordId
  /** The last eight hex digits of the id as a number: much cheaper than the id. */
  idEnd(row: Row): number
  rowOf(id: string): Row
  /** Entries whose id ends with it, oldest first. Contract: `suffix` has at least six hex digits. */
  endingWith(suffix: string): Row[]
  /** Entries without children, oldest first. */
  tips(): Row[]
}

/**
 * A tree whose bodies can be read. Contract: `record` returns undefined for a row that cannot be read or is not here.
 */
export interface History extends Tree {
  record(row: Row): LogRecord | undefined
  /** Whether `record` can answer at once. Always true, except in a copy of the tree whose bodies are fetched. */
  isHere(row: Row): boolean
  /** Incremented when the rows were rebuilt: earlier rows are no longer valid. */
  readonly generation: number
  /** Another agent's title of the session, if it is not in the rows. A title in the rows takes precedence. */
  readonly titleBeside?: string | undefined
}

/** The id of an entry, or null for NONE. */
export function entryId(tree: Tree, row: Row): EntryId | null {
  return row === NONE ? null : (tree.id(row) as EntryId)
}
