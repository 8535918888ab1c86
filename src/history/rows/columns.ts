// A row is 22 words of 32 bits. The index file stores them unchanged, so a change here needs a new index version.

export const COLUMN = {
  /** Four words. */
  id: 0,
  offsetLow: 4,
  offsetHigh: 5,
  length: 6,
  /** kind, role, origin, flags: a byte each. */
  codes: 7,
  parent: 8,
  head: 9,
  depth: 10,
  prompt: 11,
  round: 12,
  compaction: 13,
  state: 14,
  checkpoint: 15,
  undo: 16,
  redo: 17,
  link: 18,
  unit: 19,
  jump: 20,
  messages: 21,
} as const

export const WORDS = 22
export const ROW_BYTES = WORDS * 4
/**
 * Rows per page, the unit of reading from an index. Few, because a walk up the tree touches one page here, one there.
 */
export const PAGE_SHIFT = 7
export const PAGE_ROWS = 1 << PAGE_SHIFT
export const PAGE_WORDS = PAGE_ROWS * WORDS
/** Rows per block: the times and the last words of the ids in a block are stored separately, to look for an id. */
export const BLOCK_SHIFT = 10
export const BLOCK_ROWS = 1 << BLOCK_SHIFT

export const FLAG = {
  prompt: 1,
  /** After this row, the last unit still takes in what is appended. */
  open: 2,
  /** The parent, or an operation's target, is not in the log. */
  lost: 4,
  /** An earlier record has this id: this one is kept, but ignored. */
  duplicate: 8,
  /** An operation that moved files. */
  files: 16,
} as const
