// The tree in memory, in pages of rows. Pages of a long log are read when first needed.
import type { RecordId } from "../../model/id.ts"
import { idText, idWords } from "../../model/id-words.ts"
import { isEntryKind, KIND } from "../../model/record/record.ts"
import { keyOfNumber } from "../../model/record/state-key.ts"
import { NONE, type Row, type Tree } from "../tree/tree.ts"
import { BlockTimes } from "./block-times.ts"
import { BranchCount } from "./branch-count.ts"
import { BLOCK_ROWS, BLOCK_SHIFT, COLUMN, FLAG, PAGE_ROWS, PAGE_SHIFT, PAGE_WORDS, WORDS } from "./columns.ts"
import { IdTable } from "./id-table.ts"
import { isNamed } from "./is-named.ts"
import { Tips } from "./tips.ts"

/** What is known about a log when only its last rows are loaded. */
export interface StoredRows {
  size: number
  /** The last row of each kind that forms a chain. */
  last: ReadonlyMap<number, Row>
  /** How many tips there are. */
  branches: number
  /** The tips among the first `rows` rows, ascending; undefined if unknown. Called when they are needed. */
  tips(): { rows: number; tips: Uint32Array } | undefined
  /** The first prompt of the log, or NONE. */
  firstPrompt: Row
  blockTimes(): BlockTimes
  /** Reads a page of the stored rows. The caller may keep it and change it. */
  page(number: number): Uint32Array
  /** Reads the last words of the ids in a block; the caller may keep and change them. */
  tails(block: number): Uint32Array
}

/** The state after a row, from which the next one starts. */
export interface Before {
  head: Row
  undo: Row
  redo: Row
  open: boolean
}

/** If more blocks than this may contain an id, ids are not in time order, and a table is better. */
const MOST_BLOCKS = 8
/** The limit without an index: all rows are in memory then, so a table costs little. */
const MOST_IN_MEMORY = 2

export class Rows implements Tree {
  size = 0
  /** Incremented when existing rows were rebuilt, and are no longer valid. */
  generation = 0
  firstPrompt: Row = NONE
  /** What replay starts from, after a call of `standAtEnd`. */
  readonly before: Before = { head: NONE, undo: NONE, redo: NONE, open: false }
  #pages: (Uint32Array | undefined)[] = []
  #tails: (Uint32Array | undefined)[] = []
  #known: StoredRows | undefined
  #last = new Map<number, Row>()
  /** All tips except `#tip`; undefined until needed. */
  #tips: Tips | undefined = new Tips()
  /** The tip that grew last: most entries continue it, which leaves the set unchanged. */
  #tip: Row = NONE
  /** Used until `#tips` is needed. */
  #branchCount: BranchCount | undefined
  /** Undefined until needed. */
  #blockTimes: BlockTimes | undefined = new BlockTimes()
  #table: IdTable | undefined

  /** Starts over, from nothing or from an index. */
  reset(known?: StoredRows): void {
    if (this.size > 0) this.generation++
    this.#known = known
    this.size = known?.size ?? 0
    this.firstPrompt = known?.firstPrompt ?? NONE
    this.#pages = []
    this.#tails = []
    this.#last = new Map(known?.last ?? [])
    this.#tips = known === undefined ? new Tips() : undefined
    this.#tip = NONE
    this.#branchCount = undefined
    this.#blockTimes = known === undefined ? new BlockTimes() : undefined
    this.#table = undefined
  }

  page(number: number): Uint32Array {
    let page = this.#pages[number]
    if (page === undefined) {
      const known = this.#known !== undefined && number * PAGE_ROWS < this.#known.size
      page = (known ? this.#known?.page(number) : undefined) ?? new Uint32Array(PAGE_WORDS)
      this.#pages[number] = page
    }
    return page
  }

  /** The last word of the id of each row in a block. */
  tails(block: number): Uint32Array {
    let tails = this.#tails[block]
    if (tails === undefined) {
      const known = this.#known !== undefined && block * BLOCK_ROWS < this.#known.size
      tails = (known ? this.#known?.tails(block) : undefined) ?? new Uint32Array(BLOCK_ROWS)
      this.#tails[block] = tails
    }
    return tails
  }

  /** The page that contains a row, which begins at `startOf(row)`: quicker than `word` for several words. */
  pageOf(row: Row): Uint32Array {
    return this.#pages[pageNumber(row)] ?? this.page(pageNumber(row))
  }

  word(row: Row, column: number): number {
    return this.pageOf(row)[startOf(row) + column] as number
  }

  get head(): Row {
    return this.size === 0 ? NONE : this.word(this.size - 1, COLUMN.head)
  }

  /** Whether its body can be read at once. A copy whose bodies are elsewhere overrides this. */
  isHere(_row: Row): boolean {
    return true
  }

  kind(row: Row): number {
    return this.word(row, COLUMN.codes) & 255
  }

  role(row: Row): number {
    return (this.word(row, COLUMN.codes) >>> 8) & 255
  }

  origin(row: Row): number {
    return (this.word(row, COLUMN.codes) >>> 16) & 255
  }

  flag(row: Row, flag: number): boolean {
    return ((this.word(row, COLUMN.codes) >>> 24) & flag) !== 0
  }

  isPrompt(row: Row): boolean {
    return this.flag(row, FLAG.prompt)
  }

  movesFiles(row: Row): boolean {
    return this.flag(row, FLAG.files)
  }

  isBacktrack(row: Row): boolean {
    return this.kind(row) === KIND.operation && this.flag(row, FLAG.open) && this.undo(row) === row
  }

  parent(row: Row): Row {
    return this.word(row, COLUMN.parent)
  }

  jump(row: Row): Row {
    return row === NONE ? NONE : this.word(row, COLUMN.jump)
  }

  headAfter(row: Row): Row {
    return this.word(row, COLUMN.head)
  }

  depth(row: Row): number {
    return row === NONE ? 0 : this.word(row, COLUMN.depth)
  }

  messages(row: Row): number {
    return row === NONE ? 0 : this.word(row, COLUMN.messages)
  }

  prompt(row: Row): Row {
    return row === NONE ? NONE : this.word(row, COLUMN.prompt)
  }

  round(row: Row): number {
    return row === NONE ? 0 : this.word(row, COLUMN.round)
  }

  compaction(row: Row): Row {
    return row === NONE ? NONE : this.word(row, COLUMN.compaction)
  }

  state(row: Row): Row {
    return row === NONE ? NONE : this.word(row, COLUMN.state)
  }

  stateKey(row: Row): string | undefined {
    return keyOfNumber(this.origin(row))
  }

  system(row: Row): Row {
    const state = this.state(row)
    return state === NONE ? NONE : this.word(state, COLUMN.unit)
  }

  checkpoint(row: Row): Row {
    return row === NONE ? NONE : this.word(row, COLUMN.checkpoint)
  }

  undo(row: Row): Row {
    return row === NONE ? NONE : this.word(row, COLUMN.undo)
  }

  redo(row: Row): Row {
    return row === NONE ? NONE : this.word(row, COLUMN.redo)
  }

  link(row: Row): Row {
    return this.word(row, COLUMN.link)
  }

  unit(row: Row): Row {
    return this.word(row, COLUMN.unit)
  }

  last(kind: number): Row {
    return this.#last.get(kind) ?? NONE
  }

  lastRows(): ReadonlyMap<number, Row> {
    return this.#last
  }

  offset(row: Row): number {
    return offsetIn(this.pageOf(row), startOf(row))
  }

  length(row: Row): number {
    return this.word(row, COLUMN.length)
  }

  id(row: Row): RecordId {
    return idText(this.word(row, 0), this.word(row, 1), this.word(row, 2), this.word(row, 3)) as RecordId
  }

  rowOf(id: string): Row {
    return this.rowOfWords(idWords(id))
  }

  /** Costs a block or two if ids are in time order; otherwise a table of all ids is built, once. */
  rowOfWords(words: Uint32Array): Row {
    if (this.#table !== undefined) return this.#table.find(words)
    if (this.#blockTimes === undefined && this.size > 0) {
      // Most lookups after opening are for recent ids, which need no block times.
      const row = this.#search(blockNumber(this.size - 1), words)
      if (row !== NONE) return row
    }
    const times = this.#blockTimes ?? this.blockTimes
    const [first, second] = [words[0] as number, words[1] as number]
    if (times.isNew(first, second)) return NONE
    const blocks = times.holding(first, second, this.#known === undefined ? MOST_IN_MEMORY : MOST_BLOCKS)
    if (blocks === undefined) {
      this.#table = new IdTable(this)
      this.#table.addAll()
      return this.#table.find(words)
    }
    for (const block of blocks) {
      const row = this.#search(block, words)
      if (row !== NONE) return row
    }
    return NONE
  }

  #search(block: number, words: Uint32Array): Row {
    const first = block * BLOCK_ROWS
    const tails = this.tails(block).subarray(0, Math.min(BLOCK_ROWS, this.size - first))
    const tail = words[3] as number
    for (let at = tails.indexOf(tail); at !== -1; at = tails.indexOf(tail, at + 1)) {
      if (this.hasId(first + at, words)) return first + at
    }
    return NONE
  }

  /** Whether this is the row of the id: not a damaged line, nor a later duplicate. */
  hasId(row: Row, words: Uint32Array): boolean {
    const [page, at] = [this.pageOf(row), startOf(row)]
    for (let i = 3; i >= 0; i--) if (page[at + i] !== words[i]) return false
    return isNamed(page[at + COLUMN.codes] as number)
  }

  idEnd(row: Row): number {
    return this.tails(blockNumber(row))[row & (BLOCK_ROWS - 1)] as number
  }

  endingWith(suffix: string): Row[] {
    const digits = suffix.replaceAll("-", "").slice(-8)
    const wanted = Number.parseInt(digits, 16)
    const mask = digits.length === 8 ? 0xffff_ffff : (1 << (digits.length * 4)) - 1
    const rows: Row[] = []
    for (let block = 0; block * BLOCK_ROWS < this.size; block++) {
      const first = block * BLOCK_ROWS
      const tails = this.tails(block)
      const count = Math.min(BLOCK_ROWS, this.size - first)
      for (let at = 0; at < count; at++) {
        if ((((tails[at] as number) ^ wanted) & mask) !== 0) continue
        if (isEntryKind(this.kind(first + at)) && this.id(first + at).endsWith(suffix)) rows.push(first + at)
      }
    }
    return rows
  }

  /** Which ids each block may contain. */
  get blockTimes(): BlockTimes {
    if (this.#blockTimes === undefined) {
      this.#blockTimes = this.#known?.blockTimes() ?? new BlockTimes()
      for (let row = this.#known?.size ?? 0; row < this.size; row++) this.#addToTimes(this.#blockTimes, row)
    }
    return this.#blockTimes
  }

  #addToTimes(times: BlockTimes, row: Row): void {
    if (isNamed(this.word(row, COLUMN.codes))) times.add(blockNumber(row), this.word(row, 0), this.word(row, 1))
    else times.reach(blockNumber(row))
  }

  /** The number of tips. */
  get branches(): number {
    // Counting does not require reading them.
    if (this.#tips === undefined && this.#known !== undefined) {
      this.#branchCount ??= new BranchCount(this, this.#known.size, this.#known.branches)
    }
    const count = this.#tips === undefined ? this.#branchCount?.value : undefined
    return count ?? this.#allTips().size + (this.#tip === NONE ? 0 : 1)
  }

  tips(): Row[] {
    return [...this.packedTips()]
  }

  /** The same as a typed array, which is cheaper. */
  packedTips(): Uint32Array {
    const tips = this.#allTips().list()
    if (this.#tip === NONE) return tips
    const all = new Uint32Array(tips.length + 1)
    all.set(tips)
    all[tips.length] = this.#tip
    return all
  }

  #allTips(): Tips {
    if (this.#tips !== undefined) return this.#tips
    const { rows: first, tips } = this.#known?.tips() ?? { rows: 0, tips: new Uint32Array(0) }
    this.#tips = new Tips(tips)
    this.#tip = NONE
    for (let row = first; row < this.size; row++) if (isEntryKind(this.kind(row))) this.#moveTip(this.parent(row), row)
    return this.#tips
  }

  #moveTip(parent: Row, row: Row): void {
    if (this.#tips !== undefined && this.#tip !== parent) {
      if (this.#tip !== NONE) this.#tips.add(this.#tip)
      this.#tips.delete(parent)
    }
    this.#tip = row
  }

  /** Sets `before` to the state after the last row. */
  standAtEnd(): void {
    this.standAfter(this.size === 0 ? NONE : this.size - 1)
  }

  /** Sets `before` to the state after a row; NONE: to that of an empty log. */
  standAfter(row: Row): void {
    const { before } = this
    if (row === NONE) {
      before.head = before.undo = before.redo = NONE
      before.open = false
      return
    }
    const [page, at] = [this.pageOf(row), startOf(row)]
    before.head = page[at + COLUMN.head] as number
    before.undo = page[at + COLUMN.undo] as number
    before.redo = page[at + COLUMN.redo] as number
    before.open = (((page[at + COLUMN.codes] as number) >>> 24) & FLAG.open) !== 0
  }

  /** Adds the row that replay has just written after the last one. */
  push(): Row {
    const { size: row } = this
    const [page, at] = [this.pageOf(row), startOf(row)]
    const tails = this.#tails[blockNumber(row)] ?? this.tails(blockNumber(row))
    tails[row & (BLOCK_ROWS - 1)] = page[at + 3] as number
    this.size = row + 1
    const kind = (page[at + COLUMN.codes] as number) & 255
    if (isEntryKind(kind)) {
      if (this.firstPrompt === NONE && this.isPrompt(row)) this.firstPrompt = row
      if (this.#tips !== undefined) this.#moveTip(page[at + COLUMN.parent] as number, row)
      if (kind === KIND.note && page[at + COLUMN.head] !== row) this.#last.set(kind, row)
    } else if (kind >= KIND.snapshot || kind === KIND.session) this.#last.set(kind, row)
    if (this.#blockTimes !== undefined) this.#addToTimes(this.#blockTimes, row)
    this.#table?.add(row)
    return row
  }
}

/** Shifts instead of division, because a scan calls this for each row: with division it takes a quarter longer. */
function pageNumber(row: Row): number {
  return row >>> PAGE_SHIFT
}

function blockNumber(row: Row): number {
  return row >>> BLOCK_SHIFT
}

/** Where a row begins in its page. */
export function startOf(row: Row): number {
  return (row & (PAGE_ROWS - 1)) * WORDS
}

/** The offset of a row's line in the log, from the words of the row. */
export function offsetIn(page: Uint32Array, at: number): number {
  return (page[at + COLUMN.offsetHigh] as number) * 0x1_0000_0000 + (page[at + COLUMN.offsetLow] as number)
}
