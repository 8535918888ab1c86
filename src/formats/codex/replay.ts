// Codex's own replay of a session file, as far as a rollback depends on it. Codex reads a file twice. Backwards, it passes over as
// many *turns* as were rolled back, and a compaction in one of those has no effect. Forwards, it drops as many *messages*. Where a
// turn has several messages, because some were typed while the agent worked, the two differ.
import type { Rows } from "../../history/rows/rows.ts"
import { NONE, path, type Row } from "../../history/tree/tree.ts"
import type { Json } from "../../model/json.ts"
import { ORIGINS, type Origin } from "../../model/record/origin.ts"
import { KIND } from "../../model/record/record.ts"
import { listField, numberField } from "../shared/json-line.ts"
import type { Counting } from "./counted.ts"

/** Where the history was replaced. */
interface Base {
  row: Row
  /** The head before it. */
  before: Row
  /** How many counted messages came before it. */
  messages: number
  /** What it put there has some too. */
  counted: boolean
  /** It is a move of ours. */
  moved: boolean
  /** The turn it is in; -1 if no rollback passes over it. */
  turn: number
  /**
   * `replaced`: by what the line says. `void`: a rollback passed over it, but messages after it are left. `prompts`: by the prompts and
   * a summary, as older versions did. `again`: by what is left after such a rollback. `continued`: a file that continues another.
   */
  is: "replaced" | "void" | "prompts" | "again" | "continued"
}

/**
 * Where a rollback leads. `remade`: to a history that is on no path. It is what was at `row` and what the head had after that,
 * regardless of compactions in between, without what was rolled back.
 */
export type RolledBack = { how: "to" | "remade"; row: Row } | { how: "stays" }

export class Replay {
  /** For each counted message, the row that a rollback to before it leads to. */
  readonly #befores: Row[]
  /** For each turn since the first base, whether it has a counted message. */
  readonly #turns: number[]
  readonly #bases: Base[]
  /** The last row that does not go with the next counted message. */
  #solid: Row

  constructor(state?: Json) {
    this.#befores = listField(state, "befores") as number[]
    this.#turns = listField(state, "turns") as number[]
    this.#bases = listField(state, "bases") as unknown as Base[]
    this.#solid = numberField(state, "solid") ?? NONE
  }

  state(): Json {
    return {
      befores: this.#befores,
      turns: this.#turns,
      bases: this.#bases as unknown as Json,
      solid: this.#solid,
    }
  }

  turnStarted(): void {
    // Without a base, no turn matters.
    if (this.#bases.length === 0) this.#turns.length = 0
    this.#turns.push(0)
  }

  added(rows: Rows, row: Row, counting: Counting): void {
    if (counting === "stays") this.#solid = row
    if (counting !== "counts") return
    // What leads to the first message of all stays.
    this.#befores.push(this.#hasCounted() ? this.#solid : rows.parent(row))
    this.#turns[this.#turn()] = 1
    this.#solid = row
  }

  /** A line replaced the history, of which the path now ends at `to`. `counted`: undefined if the line does not say by what. */
  replaced(by: { row: Row; before: Row; to: Row; counted: boolean | undefined }): void {
    const { row, before, to, counted } = by
    const how =
      counted === undefined ? ({ turn: -1, is: "prompts" } as const) : { turn: this.#turn(), is: "replaced" as const }
    const messages = this.#befores.length
    this.#bases.push({ row, before, messages, counted: counted ?? true, moved: to !== row, ...how })
    this.#solid = to
  }

  /** The file continues another from `head`. What was counted up to there can only be told from the rows. */
  continuedFrom(rows: Rows, head: Row): void {
    this.#befores.length = 0
    this.#bases.length = 0
    this.#solid = NONE
    for (const row of path(rows, head)) {
      if (rows.kind(row) !== KIND.message) {
        if (rows.kind(row) !== KIND.state) this.#solid = row
      } else this.added(rows, row, BY_ORIGIN.get(rows.origin(row)) ?? "stays")
    }
    this.#keep(head, "continued")
  }

  rollBack(count: number): RolledBack {
    if (count <= 0 || this.#befores.length === 0) return { how: "stays" }
    this.#passOver(count)
    const floor = this.#bases.findLast(({ is }) => is === "replaced" || is === "prompts")
    let index = Math.max(0, this.#befores.length - count)
    if (floor !== undefined && index < floor.messages) {
      if (floor.is === "prompts") return this.#within(floor)
      index = Math.min(floor.messages, this.#befores.length - 1)
    }
    return this.#cutAt(index)
  }

  /** How many to roll back to get to a row; undefined if that would lead elsewhere, or over a replaced history. */
  countTo(rows: Rows, to: Row): { count: number; lands: Row } | undefined {
    const floor = this.#bases.at(-1)?.messages ?? 0
    for (let at = to; at !== NONE; at = rows.parent(at)) {
      const index = this.#befores.lastIndexOf(at)
      if (index >= floor) {
        const count = this.#befores.length - index
        return this.#keepsBases(count) ? { count, lands: at } : undefined
      }
      // Each turn records its model again, so that need not be kept.
      if (rows.kind(at) !== KIND.state || rows.system(at) === at) return undefined
    }
    return undefined
  }

  /** The history is now what `row` says. */
  remade(row: Row): void {
    const within = this.#bases.at(-1)?.is === "prompts"
    if (within) (this.#bases.at(-1) as Base).row = row
    else this.#keep(row, "again")
    this.#solid = row
  }

  #keep(row: Row, is: "again" | "continued"): void {
    const messages = this.#befores.length
    this.#bases.push({ row, before: row, messages, counted: messages > 0, moved: false, turn: -1, is })
  }

  #hasCounted(): boolean {
    const base = this.#bases.findLast(({ is }) => is !== "void")
    return base?.counted === true || this.#befores.length > (base?.messages ?? 0)
  }

  #turn(): number {
    if (this.#turns.length === 0) this.#turns.push(0)
    return this.#turns.length - 1
  }

  #passOver(count: number): void {
    this.#turns.length = this.#turnsLeft(count)
    const first = this.#bases.findIndex(({ is, turn }) => is === "replaced" && turn >= this.#turns.length)
    if (first === -1) return
    const after = this.#bases.splice(first).filter(({ is }) => is !== "again")
    this.#bases.push(...after.map((base) => (base.is === "replaced" ? { ...base, is: "void" as const } : base)))
  }

  #turnsLeft(count: number): number {
    let [left, turns] = [count, this.#turns.length]
    while (left > 0 && turns > 0) left -= this.#turns[--turns] as number
    return turns
  }

  #keepsBases(count: number): boolean {
    const turns = this.#turnsLeft(count)
    return this.#bases.every(({ is, turn }) => is !== "replaced" || turn < turns)
  }

  #within(floor: Base): RolledBack {
    this.#befores.length = floor.messages
    while (this.#bases.at(-1) !== floor) this.#bases.pop()
    return { how: "remade", row: floor.row }
  }

  #cutAt(index: number): RolledBack {
    let row = this.#befores[index] as Row
    this.#befores.length = index
    while ((this.#bases.at(-1)?.messages ?? 0) > index) this.#bases.pop()
    for (let base = this.#bases.at(-1); base?.is === "void"; base = this.#bases.at(-1)) {
      if (row !== NONE && row > base.row) {
        const first = this.#firstVoid()
        // What was before a move of ours and what was said after it are on no path together: this is as near as it gets.
        if (first === undefined) break
        return { how: "remade", row: first.before }
      }
      row = base.before
      this.#bases.pop()
    }
    this.#solid = row
    return { how: "to", row }
  }

  /** The first of the void bases at the end; undefined if one of them is a move. */
  #firstVoid(): Base | undefined {
    const end = this.#bases.slice(this.#bases.findLastIndex(({ is }) => is !== "void") + 1)
    return end.some(({ moved }) => moved) ? undefined : end[0]
  }
}

const BY_ORIGIN: ReadonlyMap<number, Counting> = new Map(
  (
    [
      ["prompt", "counts"],
      ["task", "counts"],
      ["steer", "counts"],
      ["injection", "leads"],
      ["skill", "leads"],
      ["shell", "leads"],
      ["interrupt", "leads"],
    ] satisfies [Origin, Counting][]
  ).map(([origin, counting]) => [ORIGINS.indexOf(origin), counting]),
)
