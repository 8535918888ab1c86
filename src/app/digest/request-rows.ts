// The requests of a session as rows of numbers, which thousands of sessions have some hundred thousand of.
import type { ToldRequest } from "../../formats/port.ts"

/** Two words of the key's hash, when and which model, and the tokens. */
export const WIDTH = 7

/** Days begin at a multiple of this in every time zone. */
export const QUARTER = 15 * 60 * 1000
/** The first quarter of an hour that a row can name. */
const FIRST = Date.UTC(2000) / QUARTER
const MODEL_BITS = 11
const MOST_MODELS = 1 << MODEL_BITS
const MOST_QUARTERS = 1 << (32 - MODEL_BITS)
const MOST_TOKENS = 0xffff_ffff

export interface RequestRows {
  models: readonly string[]
  rows: Uint32Array
}

/** Collects the requests of one session: of several with the same key, the one with the most output, at the time of the first. */
export class RequestTable {
  readonly #models: string[]
  readonly #places = new Map<string, number>()
  #rows: Uint32Array
  #length = 0
  readonly #otherwise: number

  /** `known`: rows of the same session. `otherwise`: when it was, in milliseconds, if a request has no time. */
  constructor(otherwise: number, known?: RequestRows) {
    this.#otherwise = otherwise
    this.#models = [...(known?.models ?? [])]
    this.#rows = new Uint32Array(Math.max(64 * WIDTH, (known?.rows.length ?? 0) * 2))
    if (known === undefined) return
    this.#rows.set(known.rows)
    this.#length = known.rows.length
    for (let at = 0; at < this.#length; at += WIDTH) this.#places.set(`${this.#rows[at]} ${this.#rows[at + 1]}`, at)
  }

  add({ key, at: time, model, usage }: ToldRequest): void {
    const [a, b] = hashOf(key)
    const place = `${a} ${b}`
    const known = this.#places.get(place)
    const { input, output, cacheRead, cacheWrite } = usage
    const tokens = [input, output, cacheRead, cacheWrite].map(tokensIn)
    const quarter = quarterOf(time > 0 ? time : this.#otherwise)
    const number = this.#numberOf(model)
    if (known === undefined) {
      if (this.#length + WIDTH > this.#rows.length) this.#grow()
      this.#places.set(place, this.#length)
      this.#rows.set([a, b, ((quarter << MODEL_BITS) | number) >>> 0, ...tokens], this.#length)
      this.#length += WIDTH
      return
    }
    if ((tokens[1] as number) < (this.#rows[known + 4] as number)) return
    const first = (this.#rows[known + 2] as number) >>> MODEL_BITS
    this.#rows.set([((first << MODEL_BITS) | number) >>> 0, ...tokens], known + 2)
  }

  result(): RequestRows {
    return { models: this.#models, rows: this.#rows.slice(0, this.#length) }
  }

  #grow(): void {
    const rows = new Uint32Array(this.#rows.length * 2)
    rows.set(this.#rows)
    this.#rows = rows
  }

  #numberOf(model: string): number {
    const known = this.#models.indexOf(model)
    if (known !== -1) return known
    if (this.#models.length === MOST_MODELS) return MOST_MODELS - 1
    return this.#models.push(model) - 1
  }
}

function tokensIn(count: number | undefined): number {
  return Math.min(MOST_TOKENS, Math.max(0, Math.round(count ?? 0)))
}

/** Counted from the first that a row can name. */
function quarterOf(time: number): number {
  return Math.min(MOST_QUARTERS - 1, Math.max(0, Math.floor(time / QUARTER) - FIRST))
}

/** When a row was, in milliseconds, to a quarter of an hour. */
export function timeOf(quarter: number): number {
  return (quarter + FIRST) * QUARTER
}

export function quarterIn(rows: Uint32Array, at: number): number {
  return (rows[at + 2] as number) >>> MODEL_BITS
}

export function modelIn(rows: Uint32Array, at: number): number {
  return (rows[at + 2] as number) & (MOST_MODELS - 1)
}

/** Two words; the chance that two of a million keys have the same is one in ten million. */
export function hashOf(text: string): [number, number] {
  let [a, b] = [0x811c9dc5, 0x1b873593]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b + code, 0x9e3779b1) ^ (b >>> 13)
  }
  return [(a ^ (a >>> 16)) >>> 0, (b ^ (b >>> 15)) >>> 0]
}
