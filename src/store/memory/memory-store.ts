// Sessions in memory: for tests, for builders who keep their own storage, and as the smallest store to copy.
import { directoryOf } from "../../history/directory.ts"
import { replay } from "../../history/replay.ts"
import { Rows } from "../../history/rows.ts"
import type { History, Row } from "../../history/tree.ts"
import { bareFacts, emptyFacts, factsOf, slowFacts } from "../../model/facts.ts"
import { RetconError } from "../../model/failure.ts"
import type { SessionId } from "../../model/id.ts"
import type { Parsed } from "../../model/json.ts"
import { KIND } from "../../model/kind.ts"
import type { LogRecord, SessionRecord, WritableRecord } from "../../model/record.ts"
import { parseRecord } from "../../model/record-parse.ts"
import { printRecord } from "../../model/record-print.ts"
import { accessTo } from "../../model/version.ts"
import { mustBeRecords, printable } from "../../model/writable.ts"
import type { Lease, SessionLog, SessionStore, SessionSummary } from "../port.ts"
import { newestFirst, summarise } from "../summary.ts"

/** What stands for the file: lines, who watches them, and who runs a turn. */
interface Shared {
  lines: Buffer[]
  watchers: Set<() => void>
  holder: object | undefined
  /** Moves are made one after the other. */
  moving: Promise<unknown>
}

class MemoryHistory extends Rows implements History {
  readonly shared: Shared

  constructor(shared: Shared) {
    super()
    this.shared = shared
  }

  record(row: Row): LogRecord | undefined {
    const read = this.read(row)
    return read.ok ? read.value : undefined
  }

  line(row: Row): Buffer {
    return this.shared.lines[row] ?? Buffer.alloc(0)
  }

  read(row: Row): Parsed<LogRecord> {
    const parsed = parseRecord(this.line(row).toString("utf8"))
    if (!parsed.ok || this.kind(row) !== KIND.damaged) return parsed
    return { ok: false, problem: `a record with the id ${parsed.value.id} came before` }
  }
}

const facts = emptyFacts()

class MemoryLog implements SessionLog {
  readonly file = undefined
  readonly generation = 0
  readonly header: SessionRecord
  readonly access: "full" | "read-only"
  readonly history: MemoryHistory
  readonly lease: Lease
  readonly #shared: Shared
  #closed = false

  constructor(shared: Shared) {
    this.#shared = shared
    this.history = new MemoryHistory(shared)
    this.lease = memoryLease(shared, this)
    this.refresh()
    const header = this.history.record(0)
    if (header?.type !== "session") {
      throw new RetconError({ code: "not-a-session", path: "memory", problem: "line 1 is not a session record" })
    }
    const access = accessTo(header)
    if (access === "refused") throw new RetconError({ code: "format-newer", path: "memory", reads: header.reads })
    this.header = header
    this.access = access
  }

  get id(): SessionId {
    return this.header.id
  }

  line(row: Row): Uint8Array {
    return this.history.line(row)
  }

  problem(row: Row): string | undefined {
    const read = this.history.read(row)
    return read.ok || this.history.kind(row) === KIND.blank ? undefined : read.problem
  }

  async append(records: readonly WritableRecord[]): Promise<Row[]> {
    if (this.#closed) throw new RetconError({ code: "io", path: "memory", problem: "the session is closed" })
    if (this.access === "read-only") throw new RetconError({ code: "read-only", path: "memory", because: "format" })
    mustBeRecords(records)
    const lines = printable(() => records.map((record) => Buffer.from(printRecord(record))))
    this.refresh()
    this.#shared.lines.push(...lines)
    const rows = records.map((record) => {
      factsOf(record, facts)
      return replay(this.history, facts, { offset: this.history.size, length: 0 }, true)
    })
    for (const watcher of this.#shared.watchers) watcher()
    return rows
  }

  async copy(lines: Iterable<Uint8Array>): Promise<void> {
    for (const line of lines) this.#shared.lines.push(Buffer.from(line))
    this.refresh()
  }

  refresh(): number {
    const before = this.history.size
    while (this.history.size < this.#shared.lines.length) {
      const line = this.history.line(this.history.size)
      if (line.length === 0) bareFacts(facts, KIND.blank)
      else slowFacts(line.toString("utf8"), facts)
      replay(this.history, facts, { offset: this.history.size, length: 0 })
    }
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
    const turn = this.#shared.moving.then(work)
    this.#shared.moving = turn.then(
      () => undefined,
      () => undefined,
    )
    return turn
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
        lines: [Buffer.from(printRecord(header))],
        watchers: new Set(),
        holder: undefined,
        moving: Promise.resolve(),
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
        const cwd = directoryOf(log)
        if (options.cwd !== undefined && options.cwd !== cwd) continue
        const bytes = lines.reduce((sum, line) => sum + line.length + 1, 0)
        const { from } = log.header
        const { opening: _, ...summary } = summarise(log.history)
        found.push({ ...summary, id, file: undefined, cwd, bytes, from })
      }
      return found.sort(newestFirst)
    },
    async remove(id) {
      shared(id)
      sessions.delete(id)
    },
  }
}
