// Sessions in memory: for tests, for builders who keep their own storage, and as the smallest store to copy.
import { replay } from "../../history/replay.ts"
import { Rows } from "../../history/rows.ts"
import type { History, Row } from "../../history/tree.ts"
import { bareFacts, emptyFacts, factsOf, slowFacts } from "../../model/facts.ts"
import { RetconError } from "../../model/failure.ts"
import type { SessionId } from "../../model/id.ts"
import { KIND } from "../../model/kind.ts"
import type { LogRecord, SessionRecord, WritableRecord } from "../../model/record.ts"
import { parseRecord } from "../../model/record-parse.ts"
import { printRecord } from "../../model/record-print.ts"
import { accessTo } from "../../model/version.ts"
import { summarise } from "../summary.ts"
import type { Lease, SessionLog, SessionStore, SessionSummary } from "../port.ts"

/** What stands for the file: lines, who watches them, and who runs a turn. */
interface Shared {
  lines: string[]
  watchers: Set<() => void>
  holder: object | undefined
}

class MemoryHistory extends Rows implements History {
  readonly shared: Shared

  constructor(shared: Shared) {
    super()
    this.shared = shared
  }

  record(row: Row): LogRecord | undefined {
    const parsed = parseRecord(this.shared.lines[row] ?? "")
    return parsed.ok && this.kind(row) !== KIND.damaged ? parsed.value : undefined
  }
}

const facts = emptyFacts()

class MemoryLog implements SessionLog {
  readonly file = undefined
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
    this.header = header
    this.access = accessTo(header) === "full" ? "full" : "read-only"
  }

  get id(): SessionId {
    return this.header.id
  }

  line(row: Row): Uint8Array {
    return Buffer.from(this.#shared.lines[row] ?? "")
  }

  problem(row: Row): string | undefined {
    const parsed = parseRecord(this.#shared.lines[row] ?? "")
    return parsed.ok ? undefined : parsed.problem
  }

  async append(records: readonly WritableRecord[]): Promise<Row[]> {
    if (this.#closed) throw new RetconError({ code: "io", path: "memory", problem: "the session is closed" })
    if (this.access === "read-only") throw new RetconError({ code: "read-only", path: "memory", because: "format" })
    this.refresh()
    const rows = records.map((record) => {
      this.#shared.lines.push(printRecord(record))
      factsOf(record, facts)
      return replay(this.history, facts, { offset: this.history.size, length: 0 }, true)
    })
    for (const watcher of this.#shared.watchers) watcher()
    return rows
  }

  async copy(lines: Iterable<Uint8Array>): Promise<void> {
    for (const line of lines) this.#shared.lines.push(Buffer.from(line).toString("utf8"))
    this.refresh()
  }

  refresh(): number {
    const before = this.history.size
    while (this.history.size < this.#shared.lines.length) {
      const line = this.#shared.lines[this.history.size] ?? ""
      if (line === "") bareFacts(facts, KIND.blank)
      else slowFacts(line, facts)
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

  return {
    async create(header) {
      if (sessions.has(header.id)) throw new RetconError({ code: "exists", path: header.id })
      sessions.set(header.id, { lines: [printRecord(header)], watchers: new Set(), holder: undefined })
      return new MemoryLog(shared(header.id))
    },
    async open(id) {
      return new MemoryLog(shared(id))
    },
    async list(options = {}) {
      const found: SessionSummary[] = []
      for (const [id, { lines }] of sessions) {
        const log = new MemoryLog(shared(id))
        if (options.cwd !== undefined && options.cwd !== log.header.cwd) continue
        const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
        const { cwd, from } = log.header
        found.push({ ...summarise(log.history), id, file: undefined, cwd, bytes, from })
      }
      return found.sort((a, b) => (a.updated < b.updated ? 1 : -1))
    },
    async remove(id) {
      shared(id)
      sessions.delete(id)
    },
  }
}
