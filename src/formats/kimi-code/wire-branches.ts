// Branches inside one file. A line `agent.switched` starts one: what follows it continues a line of another branch.
import type { Row } from "../../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { numberField, objectField, textField } from "../shared/json-line.ts"
import type { LineHeads } from "./line-heads.ts"

/** The first and last line of a branch, and where it started. `to` is null while it grows. */
interface Segment {
  from: number
  to: number | null
  base: Row
}

export class WireBranches {
  readonly #heads: LineHeads
  readonly #segments: Map<string, Segment>
  #active: string

  constructor(heads: LineHeads, state: Json | undefined, none: Row) {
    this.#heads = heads
    this.#segments = new Map()
    this.#active = textField(state, "active") ?? "main"
    const known = isObject(state) && Array.isArray(state.segments) ? state.segments : []
    for (const each of known) {
      if (!Array.isArray(each)) continue
      const [name, from, to, base] = each
      if (typeof name !== "string") continue
      this.#segments.set(name, { from: Number(from), to: to === null ? null : Number(to), base: Number(base) })
    }
    if (this.#segments.size === 0) this.#segments.set("main", { from: 1, to: null, base: none })
  }

  state(): Json {
    return {
      active: this.#active,
      segments: [...this.#segments].map(([name, { from, to, base }]) => [name, from, to, base]),
    }
  }

  /**
   * Where the head goes after line `number` of the file; undefined if it names no valid place, and so has no effect.
   */
  switched(line: JsonObject, number: number): Row | undefined {
    const base = objectField(line, "base")
    const [name, from, at] = [textField(line, "branch"), textField(base, "branch"), numberField(base, "line")]
    const segment = from === undefined ? undefined : this.#segments.get(from)
    if (name === undefined || segment === undefined || at === undefined) return undefined
    const target = this.#at(segment, at)
    const active = this.#segments.get(this.#active)
    if (active !== undefined) active.to = number - 1
    this.#segments.set(name, { from: number + 1, to: null, base: target })
    this.#active = name
    return target
  }

  /** A line after which the head is at this row, and its branch; undefined if there is none. */
  placeOf(row: Row, last: number): { branch: string; line: number } | undefined {
    for (const range of this.#heads.rangesOf(row, last)) {
      for (const [branch, { from, to }] of this.#segments) {
        const line = Math.min(range.to, to ?? last)
        if (line >= Math.max(range.from, from)) return { branch, line }
      }
    }
    return undefined
  }

  /** The name that the program would give the next branch. */
  nextName(): string {
    let number = this.#segments.size
    while (this.#segments.has(`b${number}`)) number++
    return `b${number}`
  }

  #at({ from, to, base }: Segment, line: number): Row {
    const last = to === null ? line : Math.min(line, to)
    return last < from ? base : this.#heads.at(last)
  }
}
