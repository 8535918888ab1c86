// Requests of many sessions, each counted once: forks, copies and the files of sub-agents repeat them.
import { worksForAnother } from "../../model/record/record.ts"
import type { SessionSummary } from "../../store/port.ts"
import { modelIn, quarterIn, timeOf, WIDTH } from "./request-rows.ts"
import type { SessionRequests } from "./session-requests.ts"

/** The requests of a session to a model within a quarter of an hour. */
export interface Spent {
  session: SessionSummary
  model: string
  /** In milliseconds: when the quarter began. */
  at: number
  requests: number
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

/**
 * A request counts for the session that was first, at the time it has there; of several that tell of it, the one with the most
 * output says what it took.
 */
export function* countOnce(sessions: readonly SessionRequests[]): Generator<Spent> {
  const ordered = [...sessions].sort(byAge)
  const { isFirst, better } = firstTellings(ordered)
  let number = 0
  for (const { session, models, rows } of ordered) {
    let spent: Spent | undefined
    // Without an object for each row: there may be half a million.
    let place = -1
    for (let at = 0; at < rows.length; at += WIDTH, number++) {
      if (isFirst[number] === 0) continue
      const told = better.size === 0 ? undefined : better.get(number)
      if (told !== undefined) {
        if (spent !== undefined) yield spent
        spent = undefined
        const telling = nothing(session, told.models[modelIn(told.rows, told.at)], quarterIn(rows, at))
        add(telling, told.rows, told.at)
        yield telling
        continue
      }
      // What follows in the same quarter to the same model is one value.
      if (spent === undefined || rows[at + 2] !== place) {
        if (spent !== undefined) yield spent
        place = rows[at + 2] as number
        spent = nothing(session, models[modelIn(rows, at)], quarterIn(rows, at))
      }
      add(spent, rows, at)
    }
    if (spent !== undefined) yield spent
  }
}

function nothing(session: SessionSummary, model = "(unknown)", quarter: number): Spent {
  return { session, model, at: timeOf(quarter), requests: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
}

function add(spent: Spent, rows: Uint32Array, at: number): void {
  spent.requests++
  spent.input += rows[at + 3] as number
  spent.output += rows[at + 4] as number
  spent.cacheRead += rows[at + 5] as number
  spent.cacheWrite += rows[at + 6] as number
}

/** Originals before what was split off from them, and before sub-agents; then by when they began. */
function byAge(a: SessionRequests, b: SessionRequests): number {
  return depth(a) - depth(b) || begin(a) - begin(b) || a.mtime - b.mtime || (a.session.id < b.session.id ? -1 : 1)
}

function depth({ session: { from } }: SessionRequests): number {
  return from === undefined ? 0 : worksForAnother(from) ? 2 : 1
}

function begin({ rows }: SessionRequests): number {
  return rows.length === 0 ? 0 : quarterIn(rows, 0)
}

interface Telling {
  models: readonly string[]
  rows: Uint32Array
  at: number
}

/**
 * Of all rows, numbered in order: which are the first with their key, and where another tells more of the request: it may have been
 * copied while the answer still came. In tables of numbers: a Map of half a million strings would take longer than everything else.
 */
function firstTellings(ordered: readonly SessionRequests[]): { isFirst: Uint8Array; better: Map<number, Telling> } {
  const total = ordered.reduce((sum, { rows }) => sum + rows.length / WIDTH, 0)
  const isFirst = new Uint8Array(total)
  const better = new Map<number, Telling>()
  const keys = new Uint32Array(total * 2)
  const outputs = new Uint32Array(total)
  const mask = 2 ** Math.ceil(Math.log2(Math.max(8, total * 2))) - 1
  /** By hash: one more than the number of a row; 0 is free. */
  const slots = new Uint32Array(mask + 1)
  let number = 0
  for (const { models, rows } of ordered) {
    for (let at = 0; at < rows.length; at += WIDTH, number++) {
      const [a, b, output] = [rows[at] as number, rows[at + 1] as number, rows[at + 4] as number]
      for (let slot = (a ^ (b << 7)) & mask; ; slot = (slot + 1) & mask) {
        const known = (slots[slot] as number) - 1
        if (known === -1) {
          slots[slot] = number + 1
          keys[number * 2] = a
          keys[number * 2 + 1] = b
          outputs[number] = output
          isFirst[number] = 1
          break
        }
        if (keys[known * 2] !== a || keys[known * 2 + 1] !== b) continue
        if (output > (outputs[known] as number)) {
          outputs[known] = output
          better.set(known, { models, rows, at })
        }
        break
      }
    }
  }
  return { isFirst, better }
}
