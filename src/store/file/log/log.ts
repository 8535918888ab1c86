// A session's log in a file: opened through its index, appended to with one write per batch.
import { closeSync, fdatasync, fstatSync, statSync, writeSync } from "node:fs"
import { basename, dirname } from "node:path"
import { promisify } from "node:util"
import { NONE, type Row } from "../../../history/tree/tree.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { SessionId } from "../../../model/id.ts"
import { LONGEST_LINE } from "../../../model/record/facts.ts"
import { isTaken, type SessionRecord, type TakenLine, type WritableRecord } from "../../../model/record/record.ts"
import { printLines } from "../../../model/record/record-print.ts"
import { mustBeRecords, printable } from "../../../model/record/writable.ts"
import { serial } from "../../../model/serial.ts"
import type { Lease, LinePart, LogAppendOptions, SessionLog } from "../../port.ts"
import { blobFolder, homeOf, leaseFile, moveFile } from "../disk/layout.ts"
import { attempt, attemptRead, errno, fail } from "../disk/problems.ts"
import { tellCatalogue } from "../index/catalogue.ts"
import { fileLease } from "../locks/lease.ts"
import { withMoveLock } from "../locks/move-lock.ts"
import { spill } from "./blobs.ts"
import { type Allowed, checkHeader, idOnFirstLine, openLogFile, openToWrite } from "./header.ts"
import { IndexedLog } from "./indexed-log.ts"
import type { LogHistory } from "./log-history.ts"
import { makeRescue, type Rescue } from "./rescue.ts"
import { type OpenTail, sealBefore } from "./torn-line.ts"
import { watchFile } from "./watch.ts"

/** Lines are copied in writes of about this many bytes. */
const COPY_BYTES = 1024 * 1024

type Appended = WritableRecord | TakenLine
type Durability = LogAppendOptions["durability"]

/** The outcome of one write. */
interface Written {
  /** Blank lines before the records. */
  blank: number
  /** Bytes of each record. */
  lengths: number[]
  /** How many bytes the file grew beyond what we wrote, because others wrote too; negative if it was cut. */
  more: number
  /** The file still has a name on disk. */
  linked: boolean
  /** If it differs later, all rows were rebuilt and include what was written. */
  generation: number
}

export class FileLog implements SessionLog {
  readonly file: string
  readonly id: SessionId
  readonly header: SessionRecord
  readonly history: LogHistory
  readonly lease: Lease
  readonly #now: () => number
  readonly #indexed: IndexedLog
  readonly #allowed: Allowed
  readonly #blobs: string
  #fd: number
  /** Whether the file could be opened for writing. */
  #writable: boolean
  /** Which file is open: another one may replace it at its path. */
  #inode: { dev: number; ino: number }
  /** Whether another process has appended since we opened it. */
  #shared = false
  /** Someone overwrote the log, and it no longer begins as a session. */
  #headerGone = false
  /** The last attempt to look at the file failed. */
  #unseen = false
  readonly #queue = serial()
  #appending = false
  #closing: Promise<void> | undefined
  readonly #rescue: Rescue

  constructor(file: string, now: () => number) {
    this.file = file
    const opened = openLogFile(file)
    this.#fd = opened.fd
    this.#writable = opened.access === "full"
    this.#indexed = new IndexedLog(file, opened.fd)
    this.history = this.#indexed.history
    this.#blobs = blobFolder(file)
    this.lease = fileLease(leaseFile(file), now)
    this.#now = now
    this.#rescue = makeRescue(file)
    try {
      this.#inode = attemptRead(file, () => fstatSync(opened.fd))
      attemptRead(file, () => this.#indexed.load())
      const { header, allowed } = checkHeader(file, this.history)
      this.header = header
      this.id = header.id
      this.#allowed = allowed
    } catch (error) {
      this.#indexed.close()
      throw error
    }
    this.#indexed.flushSoon()
  }

  get access(): "full" | "read-only" {
    return this.#allowed === "full" && this.#writable ? "full" : "read-only"
  }

  get generation(): number {
    return this.#indexed.generation
  }

  line(row: Row, part?: LinePart): Uint8Array {
    return this.history.line(row, part)
  }

  problem(row: Row): string | undefined {
    return this.history.problem(row)
  }

  /** The line at the end that a crash tore, until the next append seals it. */
  get tornTail(): OpenTail | undefined {
    return this.#indexed.tail?.whole === false ? this.#indexed.tail : undefined
  }

  refresh({ must = false } = {}): number {
    if (this.#appending || this.#closing !== undefined) return 0
    try {
      this.#unseen = false
      return this.#refresh()
    } catch (error) {
      this.#unseen = true
      const gone = error instanceof RetconError && error.failure.code === "vanished"
      if (must && !gone) return fail(error, this.file)
      // What keeps us from looking will also keep us from appending, which reports it.
      if (error instanceof RetconError || errno(error) !== undefined) return 0
      throw error
    }
  }

  #refresh(cut = false): number {
    const stat = statSync(this.file, { throwIfNoEntry: false })
    if (stat === undefined) throw new RetconError({ code: "vanished", path: this.file })
    const same = stat.ino === this.#inode.ino && stat.dev === this.#inode.dev
    const { generation } = this
    const rows = same ? this.#indexed.grow(stat.size, cut) : this.#follow()
    if (rows > 0) this.#shared = true
    if (this.generation !== generation)
      this.#headerGone = this.#allowed === "full" && idOnFirstLine(this.#fd) !== this.id
    return rows
  }

  /** Another file replaced ours. Continues with that one if it is the same session. */
  #follow(): number {
    const { fd, access } = openLogFile(this.file)
    this.#use(fd, "another")
    this.#writable = access === "full"
    return this.history.size
  }

  /** Contract: takes the descriptor over, or closes it and throws. */
  #use(fd: number, file: "same" | "another"): void {
    try {
      if (file === "another" && this.#allowed === "full" && idOnFirstLine(fd) !== this.id)
        throw new RetconError({ code: "vanished", path: this.file })
      this.#inode = fstatSync(fd)
    } catch (error) {
      closeSync(fd)
      throw error
    }
    this.#fd = fd
    this.#indexed.switchTo(fd, file)
  }

  append(records: readonly Appended[], options: LogAppendOptions): Promise<Row[]> {
    if (this.#closing !== undefined) {
      return Promise.reject(new RetconError({ code: "io", path: this.file, problem: "the session is closed" }))
    }
    return this.#queue.run(() => this.#append(records, options))
  }

  async #append(records: readonly Appended[], { durability, meanwhile }: LogAppendOptions): Promise<Row[]> {
    this.#appending = true
    try {
      const spilled = this.#prepare(records, durability)
      if (spilled.length === 0) return []
      for (let left = { records, spilled }; ; left = this.#missing(records, spilled)) {
        const written = this.#write(left.spilled)
        const synced = durability === "sync" ? syncData(this.#fd) : undefined
        if (left.records === records) meanwhile?.()
        await synced
        const rows = this.#take(left.records, written)
        if (rows !== undefined) return left.records === records ? rows : this.#rowsOf(records)
      }
    } catch (error) {
      return fail(error, this.file)
    } finally {
      this.#appending = false
    }
  }

  /**
   * What to write. Several records belong together, and what must survive a power cut has to be in the right file at
   * once, so this first looks at what others did. For a single line without sync it is enough that `#take` looks
   * afterwards: the line is where it belongs, or it is written again.
   */
  #prepare(records: readonly Appended[], durability: Durability): Appended[] {
    if (records.length === 0) return []
    if (this.#unseen || durability === "sync" || records.length > 1) this.#lookFor(records)
    this.#mustBeWritable()
    mustBeRecords(records)
    return records.map((record) => (isTaken(record) ? record : spill(record, this.#blobs)))
  }

  /** If the log was deleted, it goes to the trash, together with what was to be appended. */
  #lookFor(records: readonly Appended[], cut = false): void {
    this.#unseen = false
    try {
      this.#refresh(cut)
    } catch (error) {
      this.#unseen = true
      if (!(error instanceof RetconError) || error.failure.code !== "vanished") throw error
      const { bytes } = printLines(records, this.#indexed.tail === undefined ? 0 : 1)
      if (!this.#rescue.keep(this.#fd, bytes)) throw error
      throw new RetconError({ ...error.failure, kept: this.id }, { cause: error })
    }
  }

  #mustBeWritable(): void {
    if (this.#headerGone) throw new RetconError({ code: "overwritten", path: this.file })
    if (this.#allowed === "newer") throw new RetconError({ code: "read-only", path: this.file, because: "format" })
    if (this.#allowed === "damaged") {
      const problem = `${this.history.problem(0) ?? "it is not a header"}; nothing can be appended after it`
      throw new RetconError({ code: "damaged", path: this.file, line: 1, problem })
    }
    if (this.#writable) return
    const fd = openToWrite(this.file)
    if (fd === undefined) throw new RetconError({ code: "read-only", path: this.file, because: "folder" })
    this.#use(fd, "same")
    this.#writable = true
  }

  /** One write. Its result is for `#take`. */
  #write(records: readonly Appended[]): Written {
    const { known, tail } = this.#indexed
    const { newlines, blank } = sealBefore(records.length, tail, this.#shared)
    const { bytes, lengths } = printable(() => printLines(records, newlines))
    mustBeReadable(lengths)
    const written = writeSync(this.#fd, bytes)
    if (written < bytes.length) throw new RetconError({ code: "disk-full", path: this.file })
    const { size, nlink } = fstatSync(this.#fd)
    return { blank, lengths, more: size - known - bytes.length, linked: nlink > 0, generation: this.generation }
  }

  /**
   * The rows of what was written; undefined if another writer's torn line swallowed its beginning, or another file
   * replaced ours: then only what is missing must be written again, because a second copy would be a duplicate.
   */
  #take(records: readonly Appended[], written: Written): Row[] | undefined {
    const { blank, lengths, more } = written
    const alone = more === 0 && written.linked && written.generation === this.generation && this.#indexed.isSame
    if (alone && (blank === 0 || !this.#indexed.mustLookAgain)) return this.#indexed.addOwn(records, lengths, blank)
    this.#lookFor([], more < 0)
    this.#mustBeWritable()
    const rows = this.#rowsOf(records)
    return rows.includes(NONE) ? undefined : rows
  }

  #rowsOf(records: readonly Appended[]): Row[] {
    return records.map((record) => this.history.rowOf(record.id))
  }

  #missing(records: readonly Appended[], spilled: Appended[]) {
    const isMissing = ({ id }: Appended) => this.history.rowOf(id) === NONE
    return { records: records.filter(isMissing), spilled: spilled.filter(isMissing) }
  }

  async copy(lines: Iterable<Uint8Array>): Promise<void> {
    try {
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
        if (bytes > COPY_BYTES) write()
      }
      if (bytes > 0) write()
      await syncData(this.#fd)
      this.#indexed.grow(fstatSync(this.#fd).size)
    } catch (error) {
      fail(error, this.file)
    }
  }

  watch(listener: () => void): () => void {
    return watchFile(this.file, () => {
      if (this.refresh() > 0) listener()
    })
  }

  /** Updates the sidecar index. */
  flush(): void {
    this.#indexed.flush()
  }

  alone<Value>(work: () => Promise<Value>): Promise<Value> {
    return withMoveLock({ file: moveFile(this.file), session: this.id, now: this.#now }, work)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#queue.settled()
    try {
      await this.lease.release()
    } finally {
      this.#indexed.flush()
      this.#tellCatalogue()
      attempt(this.file, () => this.#indexed.close())
    }
  }

  #tellCatalogue(): void {
    const { listed } = this.#indexed
    if (listed === undefined || homeOf(this.file) === undefined) return
    tellCatalogue(dirname(this.file), basename(this.file), listed)
  }
}

function mustBeReadable(lengths: readonly number[]): void {
  const bytes = lengths.find((length) => length > LONGEST_LINE)
  if (bytes === undefined) return
  const problem = `A record of ${bytes} bytes is too long to be read back.`
  throw new RetconError({ code: "invalid", problem, advice: `A record has at most ${LONGEST_LINE} bytes.` })
}

/**
 * fdatasync, away from the main thread: a slow disk must not freeze the screen. Resolves when what was written to the
 * file survives a power cut.
 */
const syncData: (fd: number) => Promise<void> = promisify(fdatasync)
