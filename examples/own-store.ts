// Your own store: sessions in a key-value table, here a Map; a database would have one row per line. lineHistory makes the
// history, so a store only keeps bytes. test/examples/own-store.test.ts runs retcon/store-contract on it.
import { pathToFileURL } from "node:url"
import {
  createSession,
  type LineHistory,
  lineHistory,
  listed,
  newestFirst,
  openSession,
  promptDraft,
  RetconError,
  readHeader,
  recordLines,
  type SessionId,
  type SessionLog,
  type SessionStore,
} from "retcon"

interface Table {
  lines: Uint8Array[]
  /** Called after each append. */
  readers: Set<() => void>
  /** Whose turn is running, and the last requested move. */
  holder?: object
  moves: Promise<unknown>
}

function openLog(table: Table, place: string): SessionLog & { history: LineHistory } {
  const history = lineHistory((row) => table.lines[row] ?? new Uint8Array())
  const refresh = () => table.lines.slice(history.size).map((line) => history.add(line)).length
  refresh()
  const { header, access } = readHeader(history, place)
  const me = {}
  let closed = false
  const tell = () => {
    for (const reader of table.readers) reader()
  }
  const holder = () => (table.holder === undefined || table.holder === me ? undefined : { pid: process.pid })
  const release = async () => {
    if (table.holder === me) delete table.holder
  }
  return {
    id: header.id,
    header,
    history,
    access,
    generation: 0,
    file: undefined,
    line: (row, part) => (table.lines[row] ?? new Uint8Array()).subarray(part?.from, part?.to),
    problem: (row) => history.problem(row),
    async append(records) {
      if (closed) throw new RetconError({ code: "io", path: place, problem: "the session is closed" })
      if (access === "read-only") throw new RetconError({ code: "read-only", path: place, because: "format" })
      const lines = recordLines(records)
      refresh()
      table.lines.push(...lines) // a database would do this in one transaction, and return only after it
      const rows = lines.map((line, i) => history.add(line, records[i]))
      tell()
      return rows
    },
    async copy(lines) {
      for (const line of lines) table.lines.push(new Uint8Array(line))
      refresh()
    },
    refresh,
    watch(listener) {
      const reader = () => {
        if (refresh() > 0) listener()
      }
      table.readers.add(reader)
      return () => table.readers.delete(reader)
    },
    lease: {
      holder,
      release,
      async take() {
        const other = holder()
        if (other !== undefined) return { ok: false, ...other }
        table.holder = me
        return { ok: true }
      },
    },
    alone(work) {
      const done = table.moves.then(work)
      table.moves = done.catch(() => undefined)
      return done
    },
    async close() {
      closed = true
      await release()
    },
  }
}

export function tableStore(tables = new Map<SessionId, Table>()): SessionStore {
  const tableOf = (id: SessionId): Table => {
    const table = tables.get(id)
    if (table === undefined) throw new RetconError({ code: "not-found", what: "session", name: id })
    return table
  }
  return {
    async create(header) {
      if (tables.has(header.id)) throw new RetconError({ code: "exists", path: header.id })
      tables.set(header.id, { lines: recordLines([header]), readers: new Set(), moves: Promise.resolve() })
      return openLog(tableOf(header.id), header.id)
    },
    open: async (id) => openLog(tableOf(id), id),
    async list({ cwd } = {}) {
      const found = [...tables].flatMap(([id, table]) => {
        try {
          const bytes = table.lines.reduce((sum, line) => sum + line.length + 1, 0)
          return [listed(openLog(table, id), { file: undefined, bytes })]
        } catch {
          return [] // what cannot be opened is not listed
        }
      })
      return found.filter((session) => cwd === undefined || session.cwd === cwd).sort(newestFirst)
    },
    async remove(id) {
      tableOf(id)
      tables.delete(id)
    },
  }
}

// Run on its own, this file shows that a session in the store can go back, and is still there when it is opened again.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const store = tableStore()
  const session = await createSession(store, { cwd: "/project", made: { name: "example", version: "1" } })
  await session.append([promptDraft("Write a parser."), promptDraft("Write a poem.")])
  await session.back()
  await session.close()
  await using again = await openSession(store, session.id)
  for (const { title, prompts } of await store.list()) console.log(`listed: ${title} (prompts: ${prompts})`)
  for (const { role, content } of again.context()) console.log(`${role}: ${JSON.stringify(content)}`)
}
