// Text like that in sessions: prose, code and tool output, including what JSON must escape. The same in every run.

/** A number from 0 up to but not including 1. */
export type Chance = () => number

/** Contract: the same seed gives the same numbers. */
export function chances(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

const WORDS =
  "the session head entry parent round turn index append returns await const function import export path file line " +
  "read write error test expect value result because when then where should keeps never always only first last next " +
  "before after message prompt token context model agent tool output input string number boolean array object"
const CODE = [
  'import { readFileSync } from "node:fs"',
  "export function parse(line: string): Parsed<Value> {",
  "  if (!parsed.ok) return { ok: false, problem: parsed.problem, text: `$'line'` }",
  '\tconst match = /^\\s*"([^"]+)":\\s*(\\d+)/.exec(text)',
  "  for (let row = head; row !== NONE; row = tree.parent(row)) rows.push(row)",
  "}",
  "src/store/file/log/log.ts:118:    if (size < this.known) return this.rebuild()",
  " ok going back keeps the branch that was left (12 ms)",
  "drwxr-xr-x  7 user  group   224 Nov  3 09:12 src",
]
const WIDE = [
  " ✓ going back keeps the branch that was left (12 ms)",
  "„so wird’s gemacht“",
  "→ déjà vu",
  "日本語のテキスト",
  "🚀 shipped",
  "naïve café",
]

const POOL = 1 << 19
/** Halves of a character that a cut left at either end. */
const HALVES = /^[\udc00-\udfff]|[\ud800-\udbff]$/g

export class Texts {
  readonly #chance: Chance
  readonly #plain: string
  readonly #wide: string

  constructor(chance: Chance) {
    this.#chance = chance
    const words = WORDS.split(" ")
    this.#plain = this.#pool(words, CODE)
    this.#wide = this.#pool([...words, ...WIDE], [...CODE, ...WIDE])
  }

  #pool(words: readonly string[], code: readonly string[]): string {
    const lines: string[] = []
    for (let length = 0; length < POOL; ) {
      const line = this.#chance() < 0.5 ? this.pick(code) : this.#sentence(words)
      lines.push(line)
      length += line.length + 1
    }
    return lines.join("\n")
  }

  #sentence(words: readonly string[]): string {
    const count = 4 + Math.floor(this.#chance() * 14)
    return `${Array.from({ length: count }, () => this.pick(words)).join(" ")}.`
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#chance() * values.length)] as Value
  }

  /** About `length` characters; one text in eight is not only ASCII. */
  some(length: number): string {
    const pool = this.#chance() < 0.125 ? this.#wide : this.#plain
    const at = Math.floor(this.#chance() * (pool.length - length))
    return pool.slice(at, at + length).replace(HALVES, "")
  }

  /** A length around `mean`, mostly shorter, sometimes much longer. */
  length(mean: number, most: number): number {
    return Math.min(most, Math.max(20, Math.round(-Math.log(1 - this.#chance()) * mean)))
  }
}
