// The tree in memory: pages of rows, those of a long log read when first needed.
import type { RecordId } from "../model/id.ts"
import { idText, idWords } from "../model/id-words.ts"
import { isEntryKind, KIND } from "../model/kind.ts"
import { COLUMN, FLAG, PAGE_ROWS, PAGE_WORDS, WORDS } from "./columns.ts"
import { IdTable } from "./id-table.ts"
import { NONE, type Row, type Tree } from "./tree.ts"
import { Zones } from "./zones.ts"

/** What is known of a log when only its last rows are at hand. */
export interface Known {
  size: number
  /** Last row of each kind that forms a chain. */
  last: ReadonlyMap<number, Row>
  tips: readonly Row[] | undefined
  /** The first prompt of the log, or NONE. */
  firstPrompt: Row
  zones(): Zones
  /** Reads a page of the rows up to `size`. It is the caller's to keep and to go on with. */
  page(number: number): Uint32Array
  /** Reads only the first words of a page, which end the ids. */
  tails(number: number): Uint32Array
}

/** With more pages to look through than this, ids are not in the order of time, and a table serves better. */
const MOST_PAGES = 8

export class Rows implements Tree {
  size = 0
  firstPrompt: Row = NONE
  /** Where replay works out the row that `push` adds. Not shared: reading a page may replay a log of its own. */
  readonly next = new Uint32Array(WORDS)
  #pages: (Uint32Array | undefined)[] = []
  #known: Known | undefined
  #last = new Map<number, Row>()
  #tips: Set<Row> | undefined = new Set()
  /** Undefined until it is needed. */
  #zones: Zones | undefined = new Zones()
  #table: IdTable | undefined

  /** Starts over: from nothing, or from what an index knows. */
  reset(known?: Known): void {
    this.#known = known
    this.size = known?.size ?? 0
    this.firstPrompt = known?.firstPrompt ?? NONE
    this.#pages = []
    this.#last = new Map(known?.last ?? [])
    this.#tips = known === undefined ? new Set() : known.tips === undefined ? undefined : new Set(known.tips)
    this.#zones = known === undefined ? new Zones() : undefined
    this.#table = undefined
  }

  page(number: number): Uint32Array {
    let page = this.#pages[number]
    if (page === undefined) {
      const known = this.#known !== undefined && number * PAGE_ROWS < this.#known.size
      page = known ? this.#known?.page(number) : undefined
      page ??= new Uint32Array(PAGE_WORDS)
      this.#pages[number] = page
    }
    return page
  }

  word(row: Row, column: number): number {
    const page = this.#pages[row >>> 10] ?? this.page(row >>> 10)
    return page[PAGE_ROWS + (row & 1023) * WORDS + column] as number
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
    return this.word(row, COLUMN.offsetHigh) * 0x1_0000_0000 + this.word(row, COLUMN.offsetLow)
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

  /** Costs a page or two when ids are in the order of time; else a table is made of all of them, once. */
  rowOfWords(words: Uint32Array): Row {
    if (this.#table !== undefined) return this.#table.find(words)
    const zones = this.zones
    if (zones.isNew(words)) return NONE
    const pages = zones.holding(words, MOST_PAGES)
    if (pages === undefined) {
      this.#table = new IdTable(this)
      this.#table.addAll()
      return this.#table.find(words)
    }
    for (const page of pages) {
      const row = this.#search(page, words)
      if (row !== NONE) return row
    }
    return NONE
  }

  #search(number: number, words: Uint32Array): Row {
    const first = number * PAGE_ROWS
    const tails = this.page(number).subarray(0, Math.min(PAGE_ROWS, this.size - first))
    const tail = words[3] as number
    for (let at = tails.indexOf(tail); at !== -1; at = tails.indexOf(tail, at + 1)) {
      if (this.hasId(first + at, words)) return first + at
    }
    return NONE
  }

  /** Whether it is the row of this id: not one that cannot be read, nor one that came too late. */
  hasId(row: Row, words: Uint32Array): boolean {
    for (let i = 3; i >= 0; i--) if (this.word(row, i) !== words[i]) return false
    return isNamed(this.word(row, COLUMN.codes))
  }

  endingWith(suffix: string): Row[] {
    const digits = suffix.replaceAll("-", "").slice(-8)
    const wanted = Number.parseInt(digits, 16)
    const mask = digits.length === 8 ? 0xffff_ffff : (1 << (digits.length * 4)) - 1
    const rows: Row[] = []
    for (let number = 0; number * PAGE_ROWS < this.size; number++) {
      const first = number * PAGE_ROWS
      const tails = this.#tails(number)
      const count = Math.min(PAGE_ROWS, this.size - first)
      for (let at = 0; at < count; at++) {
        if ((((tails[at] as number) ^ wanted) & mask) !== 0) continue
        if (isEntryKind(this.kind(first + at)) && this.id(first + at).endsWith(suffix)) rows.push(first + at)
      }
    }
    return rows
  }

  #tails(number: number): Uint32Array {
    const known = this.#known !== undefined && (number + 1) * PAGE_ROWS <= this.#known.size
    return this.#pages[number] ?? (known ? this.#known?.tails(number) : undefined) ?? this.page(number)
  }

  /** Which ids each page holds. */
  get zones(): Zones {
    if (this.#zones === undefined) {
      this.#zones = this.#known?.zones() ?? new Zones()
      for (let row = this.#known?.size ?? 0; row < this.size; row++) this.#addToZones(this.#zones, row)
    }
    return this.#zones
  }

  #addToZones(zones: Zones, row: Row): void {
    if (isNamed(this.word(row, COLUMN.codes))) zones.add(row >>> 10, this.word(row, 0), this.word(row, 1))
    else zones.reach(row >>> 10)
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
    const page = this.page(row >>> 10)
    page.set(this.next, PAGE_ROWS + (row & 1023) * WORDS)
    page[row & 1023] = this.next[3] as number
    this.size = row + 1
    const kind = this.kind(row)
    if (isEntryKind(kind)) {
      if (this.firstPrompt === NONE && this.isPrompt(row)) this.firstPrompt = row
      if (this.#tips !== undefined) moveTip(this.#tips, this.parent(row), row)
    } else if (kind >= KIND.snapshot || kind === KIND.session) this.#last.set(kind, row)
    if (this.#zones !== undefined) this.#addToZones(this.#zones, row)
    this.#table?.add(row)
    return row
  }
}

/** Whether a row with these codes can be found by its id. */
function isNamed(codes: number): boolean {
  const kind = codes & 255
  return kind !== KIND.blank && kind !== KIND.damaged
}

function moveTip(tips: Set<Row>, parent: Row, row: Row): void {
  tips.delete(parent)
  tips.add(row)
}
