// The tree in memory: pages of rows, those of a long log read when first needed.
import type { RecordId } from "../model/id.ts"
import { idText, idWords } from "../model/id-words.ts"
import { isEntryKind, KIND } from "../model/kind.ts"
import { COLUMN, FLAG, PAGE_ROWS, PAGE_WORDS, WORDS } from "./columns.ts"
import { IdTable } from "./id-table.ts"
import { NONE, type Row, type Tree } from "./tree.ts"

/** What is known of a log when only its last rows are at hand. */
export interface Known {
  size: number
  /** Last row of each kind that forms a chain. */
  last: ReadonlyMap<number, Row>
  tips: readonly Row[] | undefined
  /** The first prompt of the log, or NONE. */
  firstPrompt: Row
  /** Reads page `page` of the rows up to `size`. */
  page(page: number): Uint32Array
}

export class Rows implements Tree {
  size = 0
  firstPrompt: Row = NONE
  /** Where replay works out the row that `push` adds. Not shared: reading a page may replay a log of its own. */
  readonly next = new Uint32Array(WORDS)
  #pages: (Uint32Array | undefined)[] = []
  #known: Known | undefined
  #last = new Map<number, Row>()
  #tips: Set<Row> | undefined = new Set()
  #ids = new IdTable(this)
  /** Whether `#ids` holds every row, or only those whose id was asked for and those added since. */
  #complete = true

  /** Starts over: from nothing, or from what an index knows. */
  reset(known?: Known): void {
    this.#known = known
    this.size = known?.size ?? 0
    this.firstPrompt = known?.firstPrompt ?? NONE
    this.#pages = []
    this.#last = new Map(known?.last ?? [])
    this.#tips = known === undefined ? new Set() : known.tips === undefined ? undefined : new Set(known.tips)
    this.#ids = new IdTable(this)
    this.#complete = known === undefined
  }

  page(number: number): Uint32Array {
    let page = this.#pages[number]
    if (page === undefined) {
      page = new Uint32Array(PAGE_WORDS)
      if (this.#known !== undefined && number * PAGE_ROWS < this.#known.size) page.set(this.#known.page(number))
      this.#pages[number] = page
    }
    return page
  }

  word(row: Row, column: number): number {
    const page = this.#pages[row >>> 10] ?? this.page(row >>> 10)
    return page[(row & 1023) * WORDS + column] as number
  }

  get head(): Row {
    return this.size === 0 ? NONE : this.word(this.size - 1, COLUMN.head)
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

  parent(row: Row): Row {
    return this.word(row, COLUMN.parent)
  }

  headAfter(row: Row): Row {
    return this.word(row, COLUMN.head)
  }

  depth(row: Row): number {
    return row === NONE ? 0 : this.word(row, COLUMN.depth)
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
    return this.word(row, COLUMN.offsetHigh) * 0x1_0000_0000 + this.word(row, COLUMN.offsetLow)
  }

  length(row: Row): number {
    return this.word(row, COLUMN.length)
  }

  /** Remembers the row, so that an operation on an id that was shown need not read all of them. */
  id(row: Row): RecordId {
    if (!this.#complete) this.#ids.add(row)
    const word = (at: number) => this.word(row, at)
    return idText(word(0), word(1), word(2), word(3)) as RecordId
  }

  rowOf(id: string): Row {
    return this.rowOfWords(idWords(id))
  }

  rowOfWords(words: Uint32Array): Row {
    const row = this.#ids.find(words)
    if (row !== NONE || this.#complete) return row
    this.#ids.addAll()
    this.#complete = true
    return this.#ids.find(words)
  }

  /** The number of branches, when it is known without walking. */
  get branches(): number {
    return this.#tipSet().size
  }

  tips(): Row[] {
    return [...this.#tipSet()].sort((a, b) => a - b)
  }

  #tipSet(): Set<Row> {
    if (this.#tips !== undefined) return this.#tips
    const tips = new Set<Row>()
    for (let row = 0; row < this.size; row++) if (isEntryKind(this.kind(row))) moveTip(tips, this.parent(row), row)
    this.#tips = tips
    return tips
  }

  /** Adds the row that replay has worked out in `next`. */
  push(): Row {
    const row = this.size
    this.page(row >>> 10).set(this.next, (row & 1023) * WORDS)
    this.size = row + 1
    const kind = this.kind(row)
    if (isEntryKind(kind)) {
      if (this.firstPrompt === NONE && this.isPrompt(row)) this.firstPrompt = row
      if (this.#tips !== undefined) moveTip(this.#tips, this.parent(row), row)
    } else if (kind >= KIND.snapshot || kind === KIND.session) this.#last.set(kind, row)
    this.#ids.add(row)
    return row
  }
}

function moveTip(tips: Set<Row>, parent: Row, row: Row): void {
  tips.delete(parent)
  tips.add(row)
}
