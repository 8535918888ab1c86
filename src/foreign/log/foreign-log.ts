// Another agent's session as a session log. Its own files alone determine the conversation and the head; our log only adds to them.
import type { AgentName, Opened } from "../../formats/port.ts"
import type { Rows } from "../../history/rows/rows.ts"
import type { Row } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { RecordId, SessionId } from "../../model/id.ts"
import { KIND, type SessionRecord, type WritableRecord } from "../../model/record/record.ts"
import { serial } from "../../model/serial.ts"
import type { GoneAs } from "../../model/text/gone-words.ts"
import { moveFile } from "../../store/file/disk/layout.ts"
import { errno, fail } from "../../store/file/disk/problems.ts"
import { withMoveLock } from "../../store/file/locks/move-lock.ts"
import { watchFile } from "../../store/file/log/watch.ts"
import { type KnownSummary, summarise } from "../../store/log-summary.ts"
import type { DrivenProgram, Lease, LinePart, SessionLog } from "../../store/port.ts"
import type { ForeignHistory } from "../scan/foreign-history.ts"
import { type ForeignIndex, openForeignIndex, writeForeignIndex } from "../scan/foreign-index.ts"
import type { OurRecord } from "../scan/row-sink.ts"
import { ScannedSession } from "../scan/scanned-session.ts"
import { OUR_LOG, offsetIn, sourceIn } from "../scan/span-offset.ts"
import { drivenProgram } from "./driven-program.ts"
import { type MovingSession, moveHead, whyNotHonoured } from "./move-head.ts"
import { isAside, OurLog } from "./our-log.ts"
import { foreignIndexFile, ourLogFile } from "./our-paths.ts"

export interface ForeignLogOptions {
  agent: AgentName
  /** The path that a person would give: the file, or the folder. */
  path: string
  /** The command that continues it in its own program. */
  resume?: readonly string[]
  /** When the agent was first found to have lost it. `path` is then our copy. */
  gone?: string
  goneAs?: GoneAs
  /** retcon's own home. */
  home: string
  now: () => number
}

export class ForeignLog implements SessionLog {
  readonly agent: AgentName
  readonly hooked: boolean
  readonly resume?: readonly string[]
  readonly gone?: string
  readonly goneAs?: GoneAs
  readonly access = "moves"
  readonly id: SessionId
  readonly header: SessionRecord
  readonly file: string
  readonly history: ForeignHistory
  readonly opened: Opened
  readonly lease: Lease
  readonly program: DrivenProgram
  readonly #ourLog: OurLog
  readonly #scanned: ScannedSession
  readonly #options: ForeignLogOptions
  readonly #indexFile: string
  readonly #queue = serial()
  #index: ForeignIndex | undefined
  /** How many rows the index on disk has, and its summary. */
  #indexed = 0
  #summary: KnownSummary | undefined
  /** One of our records has a row in a different place from where the next open will put it, so the index must not be saved. */
  #outOfPlace = false
  #closing: Promise<void> | undefined

  constructor(opened: Opened, options: ForeignLogOptions) {
    this.opened = opened
    this.agent = options.agent
    this.hooked = opened.hookNames !== undefined && opened.unhooked !== true
    if (options.gone !== undefined) this.gone = options.gone
    if (options.goneAs !== undefined) this.goneAs = options.goneAs
    if (options.gone === undefined && options.resume !== undefined) this.resume = options.resume
    this.file = options.path
    this.#options = options
    this.id = opened.id
    this.header = opened.header
    this.#ourLog = this.#openOurLog()
    this.#scanned = new ScannedSession(opened, this.#ourLog)
    this.history = this.#scanned.history
    this.#indexFile = foreignIndexFile(options.home, options.agent, opened.id, options.path)
    const { drivers, ...program } = drivenProgram(this.#ourLog.file, () => this.#ourLog.makeFolder(), options.now)
    this.program = program
    this.lease = foreignLease(opened, options.path, drivers)
    try {
      this.#load()
    } catch (error) {
      void this.#release()
      throw error
    }
  }

  #openOurLog(): OurLog {
    const { home, agent, now } = this.#options
    return new OurLog(ourLogFile(home, agent, this.opened.id), this.opened.header, now)
  }

  #load(): void {
    this.#index = openForeignIndex(this.#indexFile, () => this.#rescan())
    if (this.#index === undefined) this.#scanned.load()
    const used = this.#index !== undefined && this.#useIndex(this.#index)
    this.#place(this.#ourLog.takeRest())
    if (this.#scanned.settleHooks(false)) this.#outOfPlace = true
    if (used) return
    this.#index?.close()
    this.#index = undefined
  }

  /** False if the index does not match the files; the rows were then built without it. */
  #useIndex(index: ForeignIndex): boolean {
    const { stored: rows, covered, state, ours } = index
    const used = this.#scanned.load({ rows, covered, state, ours })
    if (used) {
      this.#indexed = index.rows
      this.#summary = index.summary
    }
    return used
  }

  /** Builds all rows from the files, ignoring any index. */
  #rescan(): Rows {
    const fresh = new ScannedSession(this.opened, this.#openOurLog())
    fresh.load()
    return fresh.history
  }

  get generation(): number {
    return this.#scanned.generation
  }

  get tornTail(): { length: number } | undefined {
    return this.#scanned.torn > 0 ? { length: this.#scanned.torn } : undefined
  }

  line(row: Row, part?: LinePart): Uint8Array {
    return this.history.line(row, part)
  }

  problem(row: Row): string | undefined {
    const kind = this.history.kind(row)
    if (kind === KIND.damaged) return "it is not a line of this agent, or it has the id of another line"
    return kind === KIND.amendment || this.history.record(row) !== undefined
      ? undefined
      : "it has changed since it was read"
  }

  lineNumber(row: Row): number {
    const offset = this.history.offset(row)
    return sourceIn(offset) === OUR_LOG ? 0 : this.#scanned.lineAt(sourceIn(offset), offsetIn(offset))
  }

  /** The rows that begin in one of these ranges of a file, in order. Contract: the ranges ascend. */
  rowsAt(file: string, parts: readonly { from: number; to: number }[]): Row[] {
    return this.#scanned.rowsAt(file, parts)
  }

  refresh({ must = false } = {}): number {
    if (this.#closing !== undefined) return 0
    try {
      return this.#refresh()
    } catch (error) {
      if (must) return fail(error, this.file)
      if (error instanceof RetconError || errno(error) !== undefined) return 0
      throw error
    }
  }

  #refresh(): number {
    const before = this.history.size
    const { generation } = this
    this.#ourLog.refresh()
    this.#place(this.#ourLog.takeReached(this.history))
    this.#scanned.refresh()
    this.#place(this.#ourLog.takeRest())
    if (this.generation !== generation) this.#indexed = 0
    if (this.#scanned.settleHooks(true)) this.#outOfPlace = true
    return this.generation === generation ? this.history.size - before : this.history.size
  }

  /**
   * Adds rows for our records at the end. Undo goes by the order of operations and rounds, so an operation that was read only after
   * what the agent wrote later makes all rows anew: in every process they are in the order in which the next one reads them.
   */
  #place(own: readonly OurRecord[]): void {
    const late = this.#ourLog.late(own, this.history)
    if (late.some(({ record }) => record.type === "operation")) {
      this.#scanned.createAgain()
      this.#indexed = 0
      this.#place(this.#ourLog.takeRest())
    } else {
      if (late.length > 0) this.#outOfPlace = true
      this.#scanned.addOwn(own)
    }
  }

  append(records: readonly WritableRecord[]): Promise<Row[]> {
    return this.#queue.run(() => this.#append(records))
  }

  async #append(records: readonly WritableRecord[]): Promise<Row[]> {
    if (records.length === 0) return []
    if (this.#closing !== undefined)
      throw new RetconError({ code: "io", path: this.file, problem: "the session is closed" })
    const [first] = records
    if (records.length === 1 && first?.type === "operation" && !isAside(first))
      return [await moveHead(this.#moving, first)]
    if (!records.every(isAside)) throw new RetconError({ code: "read-only", path: this.file, because: "foreign" })
    this.refresh({ must: true })
    await this.#ourLog.append(records, this.#lastId())
    this.refresh({ must: true })
    return records.map(({ id }) => this.history.rowOf(id))
  }

  get #moving(): MovingSession {
    const { agent, id, file, gone } = this
    return {
      agent,
      id,
      file,
      ...(gone !== undefined && { gone }),
      scanned: this.#scanned,
      holder: () => this.opened.holder(),
      refresh: () => void this.refresh({ must: true }),
      keep: (operation) => this.#ourLog.append([operation], this.#lastId()),
    }
  }

  refuses(to: Row): Failure | undefined {
    return whyNotHonoured(this.#moving, to)
  }

  perhapsInUse(): boolean {
    return this.opened.holder() === "unknown"
  }

  /** The id of the last row that has one: an unreadable line does not. */
  #lastId(): RecordId | null {
    for (let row = this.history.size - 1; row >= 0; row--) {
      const kind = this.history.kind(row)
      const foreign = sourceIn(this.history.offset(row)) !== OUR_LOG
      if (foreign && kind !== KIND.damaged && kind !== KIND.blank && kind !== KIND.amendment)
        return this.history.id(row)
    }
    return null
  }

  copy(): Promise<void> {
    return Promise.reject(new RetconError({ code: "read-only", path: this.file, because: "foreign" }))
  }

  watch(listener: () => void): () => void {
    const look = () => {
      if (this.refresh() > 0) listener()
    }
    const stops = [this.#ourLog.file, ...this.opened.sources().map(({ file }) => file)].map((file) =>
      watchFile(file, look),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }

  alone<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#ourLog.makeFolder()
    return withMoveLock({ file: moveFile(this.#ourLog.file), session: this.id, now: this.#options.now }, work)
  }

  /** Whether its agent can be made to continue from another entry. */
  get followsMoves(): boolean {
    return this.gone === undefined && this.#scanned.followsMoves
  }

  /** What lists show about it. */
  get summary(): KnownSummary {
    const known = this.#summary === undefined ? undefined : { summary: this.#summary, rows: this.#indexed }
    return summarise(this.history, known)
  }

  /** Updates the index in our cache. */
  flush(): void {
    const { size } = this.history
    if (size === this.#indexed || size === 0 || this.#outOfPlace) return
    const { summary } = this
    const state = { ...this.#scanned.extent(), ours: this.#ourLog.size }
    if (writeForeignIndex(this.#indexFile, this.history, { kept: this.#indexed, summary, ...state }))
      this.#indexed = size
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#queue.settled()
    this.flush()
    await this.#release()
  }

  #release(): Promise<void> {
    this.#scanned.close()
    this.#index?.close()
    return this.#ourLog.close()
  }
}

/** retcon's own agent runs no turn in another agent's session. Another process may drive that agent in it, or the agent may work there. */
function foreignLease(opened: Opened, path: string, drivers: Lease): Lease {
  const holder = () => {
    const driver = drivers.holder()
    if (driver !== undefined) return { ...driver, drives: true as const }
    const found = opened.holder()
    return found === "unknown" ? undefined : found
  }
  return {
    take: () => Promise.reject(new RetconError({ code: "read-only", path, because: "foreign" })),
    holder,
    release: () => Promise.resolve(),
  }
}
