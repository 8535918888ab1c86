// Sessions in memory: for tests, for programs with their own storage, and as the smallest store to copy.
import type { Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionId } from "../../model/id.ts"
import type { SessionRecord, TakenLine, WritableRecord } from "../../model/record/record.ts"
import { type Serial, serial } from "../../model/serial.ts"
import { type LineHistory, lineHistory, listed, readHeader, recordLines } from "../line-history.ts"
import { newestFirst } from "../log-summary.ts"
import type { Lease, LinePart, SessionLog, SessionStore, SessionSummary } from "../port.ts"

/** Takes the place of a file: lines, who watches them, and who runs a turn. */
interface Shared {
  lines: Uint8Array[]
  watchers: Set<() => void>
  holder: object | undefined
  /** Moves run one after the other. */
  moving: Serial
}

class MemoryLog implements SessionLog {
  readonly file = undefined
  readonly generation = 0
  readonly header: SessionRecord
  readonly access: "full" | "read-only"
  readonly history: LineHistory
  readonly lease: Lease
  readonly #shared: Shared
  #closed = false

  constructor(shared: Shared) {
    this.#shared = shared
    this.history = lineHistory((row) => this.line(row))
    this.lease = memoryLease(shared, this)
    this.refresh()
    const { header, access } = readHeader(this.history, "memory")
    this.header = header
    this.access = access
  }

  get id(): SessionId {
    return this.header.id
  }

  line(row: Row, part?: LinePart): Uint8Array {
    return (this.#shared.lines[row] ?? new Uint8Array()).subarray(part?.from, part?.to)
  }

  problem(row: Row): string | undefined {
    return this.history.problem(row)
  }

  async append(records: readonly (WritableRecord | TakenLine)[]): Promise<Row[]> {
    if (this.#closed) throw new RetconError({ code: "io", path: "memory", problem: "the session is closed" })
    if (this.access === "read-only") throw new RetconError({ code: "read-only", path: "memory", because: "format" })
    const lines = recordLines(records)
    this.refresh()
    this.#shared.lines.push(...lines)
    const rows = lines.map((line, i) => this.history.add(line, records[i]))
    for (const watcher of this.#shared.watchers) watcher()
    return rows
  }

  async copy(lines: Iterable<Uint8Array>): Promise<void> {
    for (const line of lines) this.#shared.lines.push(new Uint8Array(line))
    this.refresh()
  }

  refresh(): number {
    const before = this.history.size
    for (const line of this.#shared.lines.slice(before)) this.history.add(line)
    return this.history.size - before
  }

  watch(listener: () => void): () => void {
    const watcher = () => {
      if (this.refresh() > 0) listener()
    }
    this.#shared.watchers.add(watcher)
    return () => this.#shared.watchers.delete(watcher)
  }

  alone<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#shared.moving.run(work)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.lease.release()
  }
}

function memoryLease(shared: Shared, me: object): Lease {
  const other = () => (shared.holder === undefined || shared.holder === me ? undefined : { pid: process.pid })
  return {
    holder: other,
    async take() {
      const holder = other()
      if (holder !== undefined) return { ok: false, pid: holder.pid }
      shared.holder = me
      return { ok: true }
    },
    async release() {
      if (shared.holder === me) shared.holder = undefined
    },
  }
}

export function memoryStore(): SessionStore {
  const sessions = new Map<SessionId, Shared>()

  function shared(id: SessionId): Shared {
    const found = sessions.get(id)
    if (found === undefined) throw new RetconError({ code: "not-found", what: "session", name: id })
    return found
  }

  function readable(id: SessionId): MemoryLog | undefined {
    try {
      return new MemoryLog(shared(id))
    } catch (error) {
      if (error instanceof RetconError) return undefined
      throw error
    }
  }

  return {
    async create(header) {
      if (sessions.has(header.id)) throw new RetconError({ code: "exists", path: header.id })
      sessions.set(header.id, {
        lines: recordLines([header]),
        watchers: new Set(),
        holder: undefined,
        moving: serial(),
      })
      return new MemoryLog(shared(header.id))
    },
    async open(id) {
      return new MemoryLog(shared(id))
    },
    async list(options = {}) {
      const found: SessionSummary[] = []
      for (const [id, { lines }] of sessions) {
        const log = readable(id)
        if (log === undefined) continue
        const bytes = lines.reduce((sum, line) => sum + line.length + 1, 0)
        const summary = listed(log, { file: undefined, bytes })
        if (options.cwd === undefined || options.cwd === summary.cwd) found.push(summary)
      }
      return found.sort(newestFirst)
    },
    async remove(id) {
      shared(id)
      sessions.delete(id)
    },
  }
}
