// What retcon adds to another agent's session: labels, titles, snapshots and operations, in a log of our own. It is found by
// agent and session id, not by path, so it still applies if the agent's folder is moved or copied.
import { linkSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Rows } from "../../history/rows/rows.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { RecordId } from "../../model/id.ts"
import type { Entry, LogRecord, OperationRecord, SessionRecord, WritableRecord } from "../../model/record/record.ts"
import { printRecord } from "../../model/record/record-print.ts"
import { attempt, ensureFolder, errno } from "../../store/file/disk/problems.ts"
import { FileLog } from "../../store/file/log/log.ts"
import { HookQueue, hookOf } from "../scan/hook-queue.ts"
import type { OurRecord } from "../scan/row-sink.ts"
import type { Ours } from "../scan/scanned-session.ts"
import { OUR_LOG, sourceIn } from "../scan/span-offset.ts"

/** Creates the log if it is missing. Atomic, because another process may be doing the same. */
export function createOurLog(file: string, header: () => SessionRecord): void {
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) return
  ensureFolder(dirname(file))
  const temporary = `${file}.${process.pid}.tmp`
  attempt(file, () => {
    try {
      writeFileSync(temporary, `${printRecord(header())}\n`, { mode: 0o600, flush: true })
      linkSync(temporary, file)
    } catch (error) {
      if (errno(error) !== "EEXIST") throw error
    } finally {
      rmSync(temporary, { force: true })
    }
  })
}

export class OurLog implements Ours {
  readonly file: string
  readonly #header: SessionRecord
  readonly #now: () => number
  #log: FileLog | undefined
  /** How many rows of our log have been read. */
  #taken = 0
  /** The row after the last snapshot taken by a hook. */
  #hooked = 0
  /** Records waiting for the row they follow, by that row's id; "" for those that come first. */
  readonly #waiting = new Map<string, OurRecord[]>()
  /** Snapshots taken by hooks are placed by the agent's own ids for prompts and calls. */
  readonly hooks = new HookQueue()

  constructor(file: string, header: SessionRecord, now: () => number) {
    this.file = file
    this.#header = header
    this.#now = now
    this.#open()
    this.#take()
  }

  #open(): void {
    if (this.#log !== undefined || statSync(this.file, { throwIfNoEntry: false }) === undefined) return
    this.#log = new FileLog(this.file, this.#now)
  }

  /** The number of rows in our log, including those that make no row in the session. */
  get size(): number {
    return this.#log?.history.size ?? 0
  }

  /** Reads what other processes have written. */
  refresh(): void {
    this.#open()
    this.#log?.refresh()
    this.#take()
  }

  skip(count: number, rows: Rows): boolean {
    // New ones may belong anywhere, which only a new scan of the lines can show.
    if (this.#hooked > count) return false
    this.hooks.clear()
    for (const [after, all] of this.#waiting) {
      const left = all.filter(({ number }) => number >= count)
      if (left.length === 0) this.#waiting.delete(after)
      else if (isAmong(rows, after)) return false
      else this.#waiting.set(after, left)
    }
    return true
  }

  rewind(): void {
    this.#waiting.clear()
    this.hooks.clear()
    this.#taken = 0
    this.#take()
  }

  #take(): void {
    const history = this.#log?.history
    if (history === undefined) return
    for (; this.#taken < history.size; this.#taken++) {
      const record = history.record(this.#taken)
      if (record === undefined || !makesRow(record)) continue
      const hook = hookOf(record)
      if (hook !== undefined && record.type === "snapshot") {
        this.hooks.add({ record, number: this.#taken }, hook)
        this.#hooked = this.#taken + 1
        continue
      }
      const after = record.after ?? ""
      const waiting = this.#waiting.get(after)
      const own = { record, number: this.#taken }
      if (waiting === undefined) this.#waiting.set(after, [own])
      else waiting.push(own)
    }
  }

  operation(id: string): OperationRecord | undefined {
    const record = this.#recordOf(id) ?? this.#recordJustWritten(id)
    return record?.type === "operation" ? record : undefined
  }

  #recordOf(id: string): LogRecord | undefined {
    const row = this.#log?.history.rowOf(id) ?? NONE
    return row === NONE ? undefined : this.#log?.history.record(row)
  }

  /** Another process may have written the record, and then the agent's lines that name it, since we last read our log. */
  #recordJustWritten(id: string): LogRecord | undefined {
    this.refresh()
    return this.#recordOf(id)
  }

  takeAfter(rows: Rows, row: Row): readonly OurRecord[] {
    return this.#waiting.size === 0 ? [] : this.#takeWaiting(rows.id(row))
  }

  takeFirst(): readonly OurRecord[] {
    return this.#takeWaiting("")
  }

  /** Those whose row is there already. What the agent has written since, and nobody has read yet, comes after them. */
  takeReached(rows: Rows): OurRecord[] {
    const found = [...this.#waiting].filter(([after]) => after === "" || rows.rowOf(after) !== NONE)
    for (const [after] of found) this.#waiting.delete(after)
    return inOrder(found.map(([, own]) => own))
  }

  /** Including those of a file that was truncated or replaced by another program. */
  takeRest(): OurRecord[] {
    const rest = inOrder(this.#waiting.values())
    this.#waiting.clear()
    return rest
  }

  /** Those that belong before existing rows: the next open puts them there. */
  late(own: readonly OurRecord[], rows: Rows): OurRecord[] {
    return own.filter(({ record }) => isAmong(rows, ("after" in record && record.after) || ""))
  }

  #takeWaiting(id: string): readonly OurRecord[] {
    const own = this.#waiting.get(id)
    if (own !== undefined) this.#waiting.delete(id)
    return own ?? []
  }

  record(number: number): LogRecord | undefined {
    return this.#log?.history.record(number)
  }

  /** Contract: durable once it resolves. `after`: the last row of the session. */
  async append(records: readonly WritableRecord[], after: RecordId | null): Promise<void> {
    this.#create()
    const placed = records.map((record) => ({ ...record, after }))
    await this.#log?.append(placed, { durability: "sync" })
    this.#take()
  }

  /** Creates the folder for this session's locks. */
  makeFolder(): void {
    ensureFolder(dirname(this.file))
  }

  #create(): void {
    this.makeFolder()
    this.#open()
    if (this.#log !== undefined) return
    createOurLog(this.file, () => this.#header)
    this.#open()
    this.#take()
  }

  async close(): Promise<void> {
    await this.#log?.close()
  }
}

function inOrder(own: Iterable<readonly OurRecord[]>): OurRecord[] {
  return [...own].flat().sort((a, b) => a.number - b.number)
}

/** Whether rows of the agent's files follow the row with this id ("": the beginning). What follows the last one is simply appended. */
function isAmong(rows: Rows, id: string): boolean {
  const row = id === "" ? -1 : rows.rowOf(id)
  if (row === NONE) return false
  for (let next = row + 1; next < rows.size; next++) if (sourceIn(rows.offset(next)) !== OUR_LOG) return true
  return false
}

/** The agent's own file records moves of the head, so of our operations only those that moved nothing but files get a row. */
function makesRow(record: LogRecord): record is Exclude<WritableRecord, SessionRecord | Entry> {
  if (record.type === "operation") return record.head.from === record.head.to
  return record.type === "label" || record.type === "config" || record.type === "snapshot"
}

export function isAside(record: WritableRecord): boolean {
  return makesRow(record)
}
