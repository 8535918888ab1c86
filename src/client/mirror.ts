// Mirrors the server's tree: first all rows, then those that come with each event.
import { Rows } from "../history/rows/rows.ts"
import { type History, NONE, type Row } from "../history/tree/tree.ts"
import { type FactsPlace, readFacts } from "../history/wire/read-facts.ts"
import type { LogRecord } from "../model/record/record.ts"
import type { SessionEventData } from "../protocol/over-http.ts"
import { type Api, ApiError } from "./api.ts"

/** The most bodies to ask for at once. */
const MOST_ROWS = 500

export class Mirror {
  readonly history = new RemoteHistory()
  head: Row = NONE
  readonly #api: Api
  readonly #path: string
  #generation: string | undefined
  /** Bodies that have been requested and have not arrived. */
  readonly #loading = new Map<Row, Promise<void>>()

  constructor(api: Api, path: string) {
    this.#api = api
    this.#path = path
  }

  /**
   * Fetches missing rows. Returns whether the rows known so far became invalid: those stay until the new ones are here, because
   * a page shows them meanwhile.
   */
  async catchUp({ generation, head }: { generation: string; head: Row | null }): Promise<boolean> {
    const anew = this.#generation !== undefined && this.#generation !== generation
    const query = new URLSearchParams({ generation, from: String(anew ? 0 : this.history.size) })
    const response = await this.#api.fetch(`${this.#path}/rows?${query.toString()}`)
    const rows = new Uint8Array(await response.arrayBuffer())
    if (anew) {
      this.history.startOver()
      this.#loading.clear()
      this.head = NONE
    }
    this.#generation = generation
    await this.history.take(rows)
    this.head = head ?? NONE
    return anew
  }

  /** Returns false if rows are missing in between: call `catchUp`. */
  add({ head, from, rows, records = [] }: SessionEventData): boolean {
    const { history } = this
    if (from !== undefined && rows !== undefined && from + records.length > history.size) {
      if (from !== history.size) return false
      readFacts(history, bytesOf(rows))
    }
    if (from !== undefined)
      for (const [i, record] of records.entries()) if (record !== null) history.put(from + i, record)
    this.head = head ?? NONE
    return true
  }

  /** Contract: requests each row once, however often it is wanted meanwhile. */
  async load(wanted: Iterable<Row>): Promise<void> {
    const { history } = this
    const rows = [...new Set(wanted)].filter((row) => row < history.size && !history.isHere(row))
    const fresh = rows.filter((row) => !this.#loading.has(row))
    for (let at = 0; at < fresh.length; at += MOST_ROWS) {
      const part = fresh.slice(at, at + MOST_ROWS)
      const loaded = this.#fetch(part).finally(() => {
        for (const row of part) if (this.#loading.get(row) === loaded) this.#loading.delete(row)
      })
      for (const row of part) this.#loading.set(row, loaded)
    }
    await Promise.all(new Set(rows.flatMap((row) => this.#loading.get(row) ?? [])))
  }

  async #fetch(rows: Row[]): Promise<void> {
    const { generation } = this.history
    try {
      const { records } = await this.#api.post<{ records: (LogRecord | null)[] }>(`${this.#path}/records`, {
        rows,
        ...(this.#generation === undefined ? {} : { generation: this.#generation }),
      })
      if (generation !== this.history.generation) return
      for (const [i, row] of rows.entries()) this.history.put(row, records[i] ?? null)
    } catch (error) {
      // The stream reports this too, and brings the new rows.
      if (!(error instanceof ApiError) || error.code !== "changed") throw error
    }
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
}

/** Rows to add before yielding: a few milliseconds of work. */
const SLICE = 3000

/** The tree of a remote session: has all rows, and those records that were fetched. */
class RemoteHistory extends Rows implements History {
  readonly #records = new Map<Row, LogRecord | undefined>()

  record(row: Row): LogRecord | undefined {
    return this.#records.get(row)
  }

  override isHere(row: Row): boolean {
    return this.#records.has(row)
  }

  /** Null: the server cannot read it, so asking again would not help. */
  put(row: Row, record: LogRecord | null): void {
    this.#records.set(row, record ?? undefined)
  }

  async take(bytes: Uint8Array): Promise<void> {
    let place: FactsPlace = { byte: 0, ms: 0 }
    while (place.byte < bytes.length) {
      place = readFacts(this, bytes, place, SLICE)
      if (place.byte < bytes.length) await new Promise((done) => setTimeout(done))
    }
  }

  startOver(): void {
    this.reset()
    this.#records.clear()
  }
}
