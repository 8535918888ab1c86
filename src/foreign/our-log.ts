// What is ours in a session of another agent: labels, titles, snapshots and operations, in a log of our own. It is found by the
// agent and the session's id, not by a path: a copy of the agent's folder keeps it.
import { linkSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Rows } from "../history/rows/rows.ts"
import { NONE, type Row } from "../history/tree/tree.ts"
import type { RecordId } from "../model/id.ts"
import type { Entry, LogRecord, OperationRecord, SessionRecord, WritableRecord } from "../model/record/record.ts"
import { printRecord } from "../model/record/record-print.ts"
import { ensureFolder, errno } from "../store/file/disk/problems.ts"
import { FileLog } from "../store/file/log/log.ts"
import { HookQueue, hookOf } from "./hook-queue.ts"
import type { Own } from "./row-sink.ts"
import type { Ours } from "./scanned-session.ts"
import { OVERLAY, sourceIn } from "./span-offset.ts"

/** Creates it, if it is not there. Another process may do so at the same moment: it is there whole, or not at all. */
export function createOurLog(file: string, header: () => SessionRecord): void {
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) return
  ensureFolder(dirname(file))
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, `${printRecord(header())}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(temporary, file)
  } catch (error) {
    if (errno(error) !== "EEXIST") throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

export class OurLog implements Ours {
  readonly file: string
  readonly #header: SessionRecord
  readonly #now: () => number
  #log: FileLog | undefined
  /** How many rows of our log were looked at. */
  #taken = 0
  /** Up to which row there are snapshots that hooks took. */
  #hooked = 0
  /** Those whose row has not come yet, by the id of that row; "" for those that come first. */
  readonly #waiting = new Map<string, Own[]>()
  /** Snapshots that hooks took stand where the agent's own names say. */
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

  /** Rows of our log, those that no row comes of among them. */
  get size(): number {
    return this.#log?.history.size ?? 0
  }

  /** Takes in what other processes wrote. */
  refresh(): void {
    this.#open()
    this.#log?.refresh()
    this.#take()
  }

  skip(count: number, rows: Rows): boolean {
    // New ones may belong anywhere: nobody knows before the lines are looked at again.
    if (this.#hooked > count) return false
    this.hooks.clear()
    for (const [after, all] of this.#waiting) {
      const left = all.filter(({ number }) => number >= count)
      if (left.length === 0) this.#waiting.delete(after)
      else if (after === "" || isAmong(rows, after)) return false
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

  /** Another process may have written it, and then the lines in the agent's file that name it, after we looked here. */
  #recordJustWritten(id: string): LogRecord | undefined {
    this.refresh()
    return this.#recordOf(id)
  }

  takeAfter(rows: Rows, row: Row): readonly Own[] {
    return this.#waiting.size === 0 ? [] : this.#takeWaiting(rows.id(row))
  }

  takeFirst(): readonly Own[] {
    return this.#takeWaiting("")
  }

  /** Also of a file that was cut, or written by another program. */
  takeRest(): Own[] {
    const rest = [...this.#waiting.values()].flat().sort((a, b) => a.number - b.number)
    this.#waiting.clear()
    return rest
  }

  /** Whether some of it belongs before rows that are already there: from the next open on, it stands in its place. */
  belongsBefore(own: readonly Own[], rows: Rows): boolean {
    return own.some(({ record }) => {
      const after = "after" in record ? record.after : undefined
      return typeof after !== "string" || isAmong(rows, after)
    })
  }

  #takeWaiting(id: string): readonly Own[] {
    const own = this.#waiting.get(id)
    if (own !== undefined) this.#waiting.delete(id)
    return own ?? []
  }

  record(number: number): LogRecord | undefined {
    return this.#log?.history.record(number)
  }

  /** Contract: they survive a power cut. `after`: the last row of the session. */
  async append(records: readonly WritableRecord[], after: RecordId | null): Promise<void> {
    this.#create()
    const placed = records.map((record) => ({ ...record, after }))
    await this.#log?.append(placed, { durability: "sync" })
    this.#take()
  }

  /** The folder where locks on this session are. */
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

/** Whether other rows of the agent's files follow the one of this id. What follows the last one is added at the end. */
function isAmong(rows: Rows, id: string): boolean {
  const row = rows.rowOf(id)
  if (row === NONE) return false
  for (let next = row + 1; next < rows.size; next++) if (sourceIn(rows.offset(next)) !== OVERLAY) return true
  return false
}

/** A move of the head is told by the agent's own file: of ours, only what moved nothing but files makes a row. */
function makesRow(record: LogRecord): record is Exclude<WritableRecord, SessionRecord | Entry> {
  if (record.type === "operation") return record.head.from === record.head.to
  return record.type === "label" || record.type === "config" || record.type === "snapshot"
}

export function isAside(record: WritableRecord): boolean {
  return makesRow(record)
}
