// Where Claude Code would continue a session: the same rule that its own loader applies to the file's lines.
import type { Rows } from "../../history/rows/rows.ts"
import { isOnPath, NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { isEntryKind } from "../../model/record/record.ts"
import { wordsOf } from "./line-facts.ts"

/** Where a compaction begins, and the first entry that it keeps. */
interface Boundary {
  row: Row
  kept: Row
  /** A line written by retcon has switched it off. */
  off: boolean
}

export class Head {
  readonly #rows: Rows
  /** The entry that the last checkpoint names. It may not have been written yet. */
  #checkpoint: string | null = null
  #words: Uint32Array | undefined
  /** The checkpoint holds even if newer entries follow below it. */
  #explicit = false
  /** The conversation was rewound to before its first entry. */
  #cleared = false
  /** The last entry of the file. */
  last: Row = NONE
  /** Boundaries of compactions that keep some entries, in order. */
  readonly boundaries: Boundary[] = []

  constructor(rows: Rows, state: Json | undefined) {
    this.#rows = rows
    if (!isObject(state)) return
    this.#checkpoint = typeof state.checkpoint === "string" ? state.checkpoint : null
    this.#explicit = state.explicit === true
    this.#cleared = state.cleared === true
    this.last = rowIn(state.last)
    const known = Array.isArray(state.boundaries) ? state.boundaries : []
    for (const each of known)
      if (isObject(each)) this.boundaries.push({ row: rowIn(each.row), kept: rowIn(each.kept), off: each.off === true })
  }

  /** The program does not load anything before this entry. NONE: it loads everything. */
  get boundary(): Row {
    return this.#inForce?.row ?? NONE
  }

  get #inForce(): Boundary | undefined {
    return this.boundaries.findLast(({ off }) => !off)
  }

  state(): JsonObject {
    const [checkpoint, explicit, cleared] = [this.#checkpoint, this.#explicit, this.#cleared]
    const boundaries = this.boundaries.map((each) => ({ ...each }))
    return { checkpoint, explicit, cleared, last: this.last, boundaries }
  }

  /** Call for each new entry, and for each new body of one. */
  entry(row: Row): void {
    this.last = row
    this.#explicit = false
    this.#cleared = false
  }

  /** A compaction begins with this entry. `kept`: the first entry it keeps, or NONE. */
  compacted(boundary: Row, kept: Row): void {
    this.#checkpoint = null
    this.#explicit = false
    if (kept !== NONE) this.boundaries.push({ row: boundary, kept, off: false })
  }

  /** A line written by retcon switches a boundary off or on again. */
  setBoundary(row: Row, off: boolean): void {
    const found = this.boundaries.find((each) => each.row === row)
    if (found === undefined || found.off === off) return
    found.off = off
    if (off) return
    this.#checkpoint = null
    this.#explicit = false
  }

  /** A line of the type `last-prompt`. */
  checkpoint(line: JsonObject): void {
    const { leafUuid } = line
    const explicit = line.explicit === true
    if (typeof leafUuid === "string") {
      this.#explicit = explicit || (this.#explicit && leafUuid === this.#checkpoint)
      this.#checkpoint = leafUuid
      this.#words = undefined
      this.#cleared = false
    } else if (leafUuid === null && explicit) {
      this.#cleared = true
      this.#checkpoint = null
    }
  }

  row(): Row {
    if (this.#cleared) return NONE
    const leaf = this.#leaf()
    if (leaf === NONE || leaf === this.last) return this.last
    return !this.#explicit && isOnPath(this.#rows, leaf, this.last) ? this.last : leaf
  }

  #leaf(): Row {
    if (this.#checkpoint === null) return NONE
    this.#words ??= wordsOf(this.#checkpoint)
    return this.#rowOf(this.#words)
  }

  /** NONE for an entry that the program does not load. An entry that a compaction kept comes after its summary there. */
  #rowOf(words: Uint32Array): Row {
    const rows = this.#rows
    if (this.last !== NONE && rows.hasId(this.last, words)) return this.last
    const row = rows.rowOfWords(words)
    if (row === NONE || !isEntryKind(rows.kind(row))) return NONE
    const boundary = this.#inForce
    if (boundary === undefined || row >= boundary.row) return row
    const kept = row >= boundary.kept && isOnPath(rows, boundary.kept, row)
    const summary = rows.compaction(this.last)
    return kept && summary > boundary.row ? summary : NONE
  }
}

export function rowIn(value: Json | undefined): Row {
  return typeof value === "number" ? value : NONE
}
