// Where Codex stands after it has rolled back some turns.
import type { Rows } from "../../history/rows/rows.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { KIND } from "../../model/record/kind.ts"
import { ORIGINS } from "../../model/record/origin.ts"

const BEGINS_TURN = new Set(["prompt", "task"].map((origin) => ORIGINS.indexOf(origin as "prompt")))
const PROGRAM_SAYS = new Set(["injection", "hook", "skill"].map((origin) => ORIGINS.indexOf(origin as "hook")))

/**
 * Before the last `turns` turns, and before what the program itself said on the way to the first of them. What stands before the
 * very first turn stays.
 */
export function rolledBack(rows: Rows, turns: number): Row {
  let [left, first] = [turns, NONE]
  for (let row = rows.head; row !== NONE && left > 0; row = rows.parent(row)) {
    if (!beginsTurn(rows, row)) continue
    first = row
    left--
  }
  if (first === NONE) return rows.head
  const before = rows.parent(first)
  let at = before
  while (at !== NONE && isPreparation(rows, at)) at = rows.parent(at)
  // Nothing but preparation above: it is the first turn.
  return at === NONE ? before : at
}

function beginsTurn(rows: Rows, row: Row): boolean {
  return rows.kind(row) === KIND.message && BEGINS_TURN.has(rows.origin(row))
}

function isPreparation(rows: Rows, row: Row): boolean {
  return rows.kind(row) === KIND.state || (rows.kind(row) === KIND.message && PROGRAM_SAYS.has(rows.origin(row)))
}
