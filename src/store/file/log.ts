// A session log in a file: opened through its index, appended with one write per batch.
import { closeSync, constants, fdatasync, fstatSync, openSync, statSync, watch, writeSync } from "node:fs"
import { promisify } from "node:util"
import { replay } from "../../history/replay.ts"
import { NONE, type Row } from "../../history/tree.ts"
import { bareFacts, emptyFacts, factsOf } from "../../model/facts.ts"
import { RetconError } from "../../model/failure.ts"
import type { SessionId } from "../../model/id.ts"
import { KIND } from "../../model/kind.ts"
import type { SessionRecord, WritableRecord } from "../../model/record.ts"
import { printRecord } from "../../model/record-print.ts"
import type { AppendOptions, Lease, SessionLog } from "../port.ts"
import { spill } from "./blobs.ts"
import { checkHeader, openLogFile } from "./header.ts"
import { openIndex, writeIndex } from "./index-file.ts"
import { blobFolder, indexFile, leaseFile } from "./layout.ts"
import { fileLease } from "./lease.ts"
import { LogHistory } from "./log-history.ts"
import { attempt, fail } from "./problems.ts"
import { readAt } from "./read.ts"
import { type OpenTail, scan } from "./scan.ts"
import { type LogSummary, summarise } from "../summary.ts"

const sync = promisify(fdatasync)
const NEWLINE = 10
/** Rows that are added before the index is brought up to date without being asked. */
const FLUSH_ROWS = 512

const facts = emptyFacts()

export class FileLog implements SessionLog {
  readonly file: string
  readonly id: SessionId
  readonly header: SessionRecord
  readonly access: "full" | "read-only"
  readonly history: LogHistory
  readonly lease: Lease
  #fd: number
  /** How far the rows reach. */
  #end = 0
  #tail: OpenTail | undefined
  /** Rows that the index file holds, and what it says of the session. */
  #indexed = 0
  #summary: LogSummary | undefined
  #indexFd: number | undefined
  #queue: Promise<unknown> = Promise.resolve()
  #appending = false
  #closed = false
  /** The file that was opened is no longer at its path. */
  #gone = false

  constructor(file: string, now: () => number) {
    this.file = file
    const opened = openLogFile(file)
    this.#fd = opened.fd
    this.history = new LogHistory(opened.fd, blobFolder(file))
    this.history.onMismatch = () => this.#rebuild()
    this.lease = fileLease(leaseFile(file), now)
    try {
      this.#load()
      const { header, access } = checkHeader(file, this.history, opened.access)
      this.header = header
      this.id = header.id
      this.access = access
    } catch (error) {
      closeSync(this.#fd)
      throw error
    }
  }

  line(row: Row): Uint8Array {
    return this.history.line(row)
  }

  problem(row: Row): string | undefined {
    return this.history.problem(row)
  }

  /** The line at the end that a crash has torn, until the next append seals it. */
  get tornTail(): OpenTail | undefined {
    return this.#tail?.whole === false ? this.#tail : undefined
  }

  #load(): void {
    attempt(this.file, () => {
      const size = fstatSync(this.#fd).size
      const index = openIndex(indexFile(this.file), this.#fd, size)
      if (index !== undefined) {
        this.history.reset(index.known)
        this.#indexFd = index.fd
        this.#indexed = index.rows
        this.#end = index.covered
        this.#summary = index.summary
      }
      this.#scanTo(size)
    })
  }

  /** Adds rows for what is between the last known line and `size`. */
  #scanTo(size: number): void {
    if (this.#tail?.whole === true) this.#end = this.#tail.offset + this.#tail.length + 1
    this.#tail = undefined
    if (size <= this.#end) return
    const scanned = scan(this.#fd, this.history, this.#end, size)
    this.#end = scanned.end
    this.#tail = scanned.tail
    if (this.history.size - this.#indexed >= FLUSH_ROWS) this.flush()
  }

  /** The index was wrong, or the file is another one: all rows are made anew. */
  #rebuild(): void {
    this.#dropIndex()
    this.history.reset()
    this.#end = 0
    this.#tail = undefined
    this.#scanTo(fstatSync(this.#fd).size)
    this.flush()
  }

  /** What a list shows, when the index has it. */
  get summary(): LogSummary | undefined {
    return this.#indexed === this.history.size ? this.#summary : undefined
  }

  #dropIndex(): void {
    if (this.#indexFd !== undefined) closeSync(this.#indexFd)
    this.#indexFd = undefined
    this.#indexed = 0
  }

  /** Bytes of the log that are known: lines, and a tail without a newline. */
  get #known(): number {
    return this.#tail === undefined ? this.#end : this.#tail.offset + this.#tail.length
  }

  refresh(): number {
    if (this.#appending || this.#closed) return 0
    return attempt(this.file, () => this.#refresh())
  }

  #refresh(): number {
    const before = this.history.size
    const size = fstatSync(this.#fd).size
    if (size === this.#known) return 0
    if (size < this.#known || !this.#tailGoesOn(size)) {
      this.#rebuild()
      return this.history.size
    }
    this.#scanTo(size)
    return this.history.size - before
  }

  /** A tail that was a whole record must have got its newline; if it went on instead, its row is wrong. */
  #tailGoesOn(size: number): boolean {
    if (this.#tail?.whole !== true) return true
    return size > this.#known && readAt(this.#fd, this.#known, 1)[0] === NEWLINE
  }

  append(records: readonly WritableRecord[], options: AppendOptions): Promise<Row[]> {
    const work = this.#queue.then(() => this.#append(records, options))
    this.#queue = work.catch(() => undefined)
    return work
  }

  async #append(records: readonly WritableRecord[], options: AppendOptions): Promise<Row[]> {
    if (this.#closed) throw new RetconError({ code: "io", path: this.file, problem: "the session is closed" })
    if (this.access === "read-only") {
      throw new RetconError({ code: "read-only", path: this.file, because: this.#whyReadOnly() })
    }
    if (this.#gone) this.#reopen()
    this.refresh()
    const lines = records.map((record) => printRecord(spill(record, blobFolder(this.file))))
    this.#appending = true
    try {
      for (;;) {
        const rows = await this.#write(records, lines, options)
        if (rows !== undefined) return rows
      }
    } catch (error) {
      return fail(error, this.file)
    } finally {
      this.#appending = false
    }
  }

  #whyReadOnly(): "format" | "folder" {
    return this.header.writes > 1 ? "format" : "folder"
  }

  /** One attempt; undefined when another writer's torn line swallowed ours, so that it must be written again. */
  async #write(
    records: readonly WritableRecord[],
    lines: readonly string[],
    options: AppendOptions,
  ): Promise<Row[] | undefined> {
    const known = this.#known
    // A blank line after a torn one tells every reader to look at it closely (see scan.ts).
    const seal = this.#tail === undefined ? "" : this.#tail.whole ? "\n" : "\n\n"
    const bytes = Buffer.from(`${seal}${lines.join("\n")}\n`)
    const written = writeSync(this.#fd, bytes)
    if (written < bytes.length) throw new RetconError({ code: "disk-full", path: this.file })
    const stat = fstatSync(this.#fd)
    if (options.durability === "sync") await sync(this.#fd)
    if (stat.nlink === 0) {
      this.#gone = true
      throw new RetconError({ code: "vanished", path: this.file })
    }
    if (stat.size === known + bytes.length) return this.#addOwn(records, lines)
    this.#refresh()
    const rows = records.map((record) => this.history.rowOf(record.id))
    return rows.includes(NONE) ? undefined : rows
  }

  /** Nobody else wrote: the rows of our own lines follow from what we know. */
  #addOwn(records: readonly WritableRecord[], lines: readonly string[]): Row[] {
    let offset = this.#end
    if (this.#tail !== undefined) {
      offset = this.#tail.offset + this.#tail.length + 1
      if (!this.#tail.whole) {
        bareFacts(facts, KIND.damaged)
        replay(this.history, facts, this.#tail)
        bareFacts(facts, KIND.blank)
        replay(this.history, facts, { offset, length: 0 })
        offset += 1
      }
      this.#tail = undefined
    }
    const rows = records.map((record, i) => {
      const length = Buffer.byteLength(lines[i] ?? "")
      factsOf(record, facts)
      const row = replay(this.history, facts, { offset, length }, true)
      offset += length + 1
      return row
    })
    this.#end = offset
    if (this.history.size - this.#indexed >= FLUSH_ROWS) this.flush()
    return rows
  }

  async copy(lines: Iterable<Uint8Array>): Promise<void> {
    await attempt(this.file, async () => {
      const newline = Buffer.from("\n")
      let batch: Uint8Array[] = []
      let bytes = 0
      const write = () => {
        const all = Buffer.concat(batch)
        if (writeSync(this.#fd, all) < all.length) throw new RetconError({ code: "disk-full", path: this.file })
        batch = []
        bytes = 0
      }
      for (const line of lines) {
        batch.push(line, newline)
        bytes += line.length + 1
        if (bytes > 1024 * 1024) write()
      }
      write()
      await sync(this.#fd)
      this.#refresh()
    })
  }

  /** The file went away while it was open. If one is there again, go on with that one. */
  #reopen(): void {
    if (statSync(this.file, { throwIfNoEntry: false }) === undefined) {
      throw new RetconError({ code: "vanished", path: this.file })
    }
    const fd = attempt(this.file, () => openSync(this.file, constants.O_RDWR | constants.O_APPEND))
    closeSync(this.#fd)
    this.#fd = fd
    this.history.fd = fd
    this.#gone = false
    this.#rebuild()
  }

  watch(listener: () => void): () => void {
    const watcher = watch(this.file, { persistent: false }, () => {
      if (this.refresh() > 0) listener()
    })
    watcher.on("error", () => watcher.close())
    return () => watcher.close()
  }

  /** Brings the sidecar index up to date. Never fails: an index is never needed. */
  flush(): void {
    const size = this.history.size
    if (size === this.#indexed || this.#tail?.whole === true || this.#gone) return
    const summary = summarise(this.history)
    const kept = this.#indexed
    if (writeIndex(indexFile(this.file), this.#fd, this.history, { kept, size, covered: this.#end, summary })) {
      this.#indexed = size
      this.#summary = summary
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    await this.#queue
    this.#closed = true
    await this.lease.release()
    this.flush()
    this.#dropIndex()
    closeSync(this.#fd)
  }
}
