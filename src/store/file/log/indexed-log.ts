// What we know about a log file: its rows, how far they reach, and the index that saves scanning the log again.
import { closeSync, fstatSync } from "node:fs"
import { replay } from "../../../history/rows/replay.ts"
import { Rows, type StoredRows } from "../../../history/rows/rows.ts"
import { directoryOf } from "../../../history/tree/directory.ts"
import type { Row } from "../../../history/tree/tree.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { failureOf } from "../../../model/failure/system-failure.ts"
import { bareFacts, emptyFacts, factsOf, slowFacts } from "../../../model/record/facts.ts"
import { isTaken, KIND, type TakenLine, type WritableRecord } from "../../../model/record/record.ts"
import { type KnownSummary, type LogSummary, summarise } from "../../log-summary.ts"
import { indexFile, tipsFile } from "../disk/layout.ts"
import { readAt } from "../disk/read-at.ts"
import type { Listed } from "../index/catalogue.ts"
import { fingerprint, logFits } from "../index/fingerprint.ts"
import { type OpenIndex, openIndex, writeIndex } from "../index/index-file.ts"
import { type Listing, MOST_TIPS } from "../index/index-header.ts"
import { readTips, type TipsFile, writeTips } from "../index/tips-file.ts"
import { LogHistory } from "./log-history.ts"
import { scan } from "./scan.ts"
import { type OpenTail, turnsOutTorn } from "./torn-line.ts"

const NEWLINE = 10
/** After this many new rows the index is updated automatically. */
const FLUSH_ROWS = 1024

/** The tips file may lag behind by one row per this many tips. */
const TIPS_BEHIND = 8

const facts = emptyFacts()

export class IndexedLog {
  readonly history: LogHistory
  /** Incremented when all rows were rebuilt: earlier rows are no longer valid. */
  generation = 0
  readonly #file: string
  #fd: number
  /** How far the rows reach. */
  #end = 0
  #tail: OpenTail | undefined
  /** Identifies the log as far as it is known, in case another one is written over it. */
  #mark = { line: 0, end: 0, sum: 0 }
  #index: OpenIndex | undefined
  /** How many rows the index file has, and what it says about the session. */
  #indexed = 0
  #summary: KnownSummary | undefined
  /** The file with the tips, if they do not fit into the index. */
  #tipsFile: TipsFile | undefined
  /** What a list shows, as of the last time we wrote the index. */
  #listed: Listed | undefined
  /** Rows made from the log because a page of the index is damaged. */
  #rescanned: Rows | undefined
  #closed = false

  constructor(file: string, fd: number) {
    this.#file = file
    this.#fd = fd
    this.history = new LogHistory(fd, file)
    this.history.onMismatch = () => this.#rebuild()
  }

  /** Contract: writes nothing, because the file may turn out not to be a session. */
  load(): void {
    const size = fstatSync(this.#fd).size
    const index = openIndex(indexFile(this.#file), logFits(this.#fd, size))
    if (index !== undefined) {
      this.#index = index
      this.history.reset(this.#knownFrom(index))
      this.history.fromIndex = index.rows
      this.#indexed = index.rows
      this.#end = index.covered
      this.#summary = index.summary
      this.#tipsFile = index.tips instanceof Uint32Array ? undefined : index.tips
    }
    this.#scanTo(size)
    this.#remember()
  }

  #knownFrom(index: OpenIndex): StoredRows {
    const readable = () => {
      if (this.#closed) throw new RetconError({ code: "io", path: this.#file, problem: "the session is closed" })
      return index
    }
    return {
      size: index.rows,
      last: index.last,
      branches: index.summary.branches,
      tips: () => this.#tipsOf(index),
      firstPrompt: index.firstPrompt,
      blockTimes: () => readable().blockTimes() ?? this.#rescan(index).blockTimes,
      page: (number) => readable().page(number) ?? this.#rescan(index).page(number).slice(),
      tails: (block) => readable().tails(block) ?? this.#rescan(index).tails(block).slice(),
    }
  }

  /** Undefined if the file with them is gone: the next flush creates it again. */
  #tipsOf({ rows, tips }: OpenIndex): { rows: number; tips: Uint32Array } | undefined {
    if (tips instanceof Uint32Array) return { rows, tips }
    const read = tips.rows > rows ? undefined : readTips(tipsFile(this.#file), tips)
    if (read === undefined) this.#tipsFile = undefined
    return read && { rows: tips.rows, tips: read }
  }

  /** Written only now and then, so that closing a session costs what was added, however many tips it has. */
  #keepTips(branches: number): TipsFile | undefined {
    if (branches <= MOST_TIPS) return undefined
    const since = this.history.size - (this.#tipsFile?.rows ?? 0)
    if (this.#tipsFile !== undefined && since <= branches / TIPS_BEHIND) return this.#tipsFile
    return writeTips(tipsFile(this.#file), this.history.size, this.history.packedTips())
  }

  /** What the index should contain, if part of it is damaged. */
  #rescan(index: OpenIndex): Rows {
    this.#indexed = 0
    if (this.#rescanned === undefined) {
      this.#rescanned = new Rows()
      scan(this.#fd, this.#rescanned, 0, index.covered)
    }
    return this.#rescanned
  }

  /** How many bytes of the log are known: lines, and a tail without a newline. */
  get known(): number {
    return this.#tail === undefined ? this.#end : this.#tail.offset + this.#tail.length
  }

  /** The end of the log that has no newline. */
  get tail(): OpenTail | undefined {
    return this.#tail
  }

  #remember(): void {
    const { size } = this.history
    const line = this.#tail?.offset ?? (size === 0 ? 0 : this.history.offset(size - 1))
    this.#mark = { line, end: this.known, sum: fingerprint(this.#fd, line, this.known) }
  }

  /** Whether the known part of the file is still what the rows were made from. */
  get isSame(): boolean {
    const { line, end, sum } = this.#mark
    return fingerprint(this.#fd, line, end) === sum
  }

  /**
   * Takes in a change of the file, which is now `size` bytes long. Returns how many rows were added. `cut`: before it
   * grew, it had been cut to less than what we knew.
   */
  grow(size: number, cut = false): number {
    const before = { size: this.history.size, generation: this.generation }
    if (cut || size < this.known || !this.isSame) this.#rebuild()
    else if (size === this.known) return 0
    else if (this.#tailEnds()) this.#scanTo(size)
    else this.#rebuild()
    this.#remember()
    this.flushIfDue()
    return this.history.size - (this.generation === before.generation ? before.size : 0)
  }

  /** A tail that was a complete record must now be followed by a newline; if it continues instead, its row is wrong. */
  #tailEnds(): boolean {
    return this.#tail?.whole !== true || readAt(this.#fd, this.known, 1)[0] === NEWLINE
  }

  /** Adds rows for the lines between the last known one and `size`. */
  #scanTo(size: number): void {
    if (this.#tail?.whole === true) this.#end = this.#tail.offset + this.#tail.length + 1
    this.#tail = undefined
    if (size <= this.#end) return
    if (turnsOutTorn(this.#fd, this.history, this.#end)) {
      this.#rebuild()
      return
    }
    const scanned = this.#scanned(size)
    this.#end = scanned.end
    this.#tail = scanned.tail
  }

  /** A scan that fails has added some of the rows: what is known no longer counts, and the next look begins anew. */
  #scanned(size: number): ReturnType<typeof scan> {
    try {
      return scan(this.#fd, this.history, this.#end, size)
    } catch (error) {
      this.#mark = { line: 0, end: 0, sum: Number.NaN }
      throw error
    }
  }

  /** Rebuilds all rows: the index was wrong, or the file is another one. */
  #rebuild(): void {
    this.#dropIndex()
    this.generation++
    this.history.reset()
    this.history.fromIndex = 0
    this.#end = 0
    this.#tail = undefined
    this.#scanTo(fstatSync(this.#fd).size)
    this.#remember()
    this.flush()
  }

  /** Continues with another descriptor: of the same file, or of the one that replaced it. */
  switchTo(fd: number, file: "same" | "another"): void {
    closeSync(this.#fd)
    this.#fd = fd
    this.history.readFrom(fd)
    if (file === "another") this.#rebuild()
  }

  /** Whether what follows the last line changes what that line means. */
  get mustLookAgain(): boolean {
    return this.#tail === undefined && turnsOutTorn(this.#fd, this.history, this.#end)
  }

  /** Adds rows for lines that only we wrote, without reading them back. `blank`: blank lines before them. */
  addOwn(records: readonly (WritableRecord | TakenLine)[], lengths: readonly number[], blank: number): Row[] {
    let offset = this.#end
    if (this.#tail !== undefined) {
      offset = this.#tail.offset + this.#tail.length + 1
      if (!this.#tail.whole) {
        bareFacts(facts, KIND.damaged)
        replay(this.history, facts, this.#tail)
      }
      this.#tail = undefined
    }
    for (let i = 0; i < blank; i++) {
      bareFacts(facts, KIND.blank)
      replay(this.history, facts, { offset, length: 0 })
      offset += 1
    }
    const rows = records.map((record, i) => {
      const length = lengths[i] ?? 0
      if (isTaken(record)) slowFacts(Buffer.from(record.line).toString("utf8"), facts)
      else factsOf(record, facts)
      const row = replay(this.history, facts, { offset, length }, true)
      offset += length + 1
      return row
    })
    this.#end = offset
    this.#remember()
    this.flushIfDue()
    return rows
  }

  /** What a list shows. */
  get summary(): LogSummary {
    const known = this.#indexed === this.history.size ? this.#summary : undefined
    const { opening: _, ...summary } = known ?? this.#summarise()
    return summary
  }

  #summarise(): KnownSummary {
    const known = this.#summary === undefined ? undefined : { summary: this.#summary, rows: this.#indexed }
    return summarise(this.history, known)
  }

  flushIfDue(): void {
    if (this.history.size - this.#indexed >= FLUSH_ROWS) this.flush()
  }

  /** Runs after the caller has its log, because writing the index of a long one takes a while. */
  flushSoon(): void {
    if (this.history.size - this.#indexed < FLUSH_ROWS) return
    setImmediate(() => {
      if (!this.#closed) this.flushIfDue()
    })
  }

  /** Updates the sidecar index. Never fails: an index is never needed, and the next read of the log reports its errors. */
  flush(): void {
    try {
      this.#flush()
    } catch (error) {
      if (failureOf(error) === undefined) throw error
    }
  }

  #flush(): void {
    if (this.history.size === this.#indexed || this.#tail?.whole === true || !this.isSame) return
    const summary = this.#summarise()
    const listing = this.#listing()
    const tailSum = fingerprint(this.#fd, this.history.offset(this.history.size - 1), this.#end)
    const tips = this.#keepTips(summary.branches)
    const extent = { kept: this.#indexed, covered: this.#end, tailSum, summary, listing, tips }
    if (!writeIndex(indexFile(this.#file), this.history, extent)) return
    this.#tipsFile = tips
    this.#indexed = this.history.size
    this.#summary = summary
    if (listing === undefined) return
    const { id, cwd, from, modified: mtime } = listing
    const { opening: _, ...shown } = summary
    this.#listed = { ...shown, id, cwd, bytes: this.#end, mtime, from }
  }

  /** For the catalogue; undefined if there is nothing new. */
  get listed(): Listed | undefined {
    return this.#listed?.bytes === this.#end ? this.#listed : undefined
  }

  /** Undefined if the first line is not a header, or if the log has grown meanwhile. */
  #listing(): Listing | undefined {
    const header = this.history.size > 0 ? this.history.record(0) : undefined
    const { size, mtimeMs } = fstatSync(this.#fd)
    if (header?.type !== "session" || size !== this.#end) return undefined
    return { id: header.id, cwd: directoryOf({ header, history: this.history }), from: header.from, modified: mtimeMs }
  }

  #dropIndex(): void {
    if (this.#index !== undefined) closeSync(this.#index.fd)
    this.#index = undefined
    this.#rescanned = undefined
    this.#indexed = 0
    this.#summary = undefined
    this.#tipsFile = undefined
  }

  /** Contract: called once. What was read stays; nothing more can be read. */
  close(): void {
    this.#closed = true
    this.#dropIndex()
    closeSync(this.#fd)
    this.history.readFrom(undefined)
  }
}
