// Where Codex continues after it has rolled back some turns.
import type { Rows } from "../../history/rows/rows.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { KIND } from "../../model/record/kind.ts"
import { ORIGINS, type Origin } from "../../model/record/origin.ts"

const BEGINS_TURN = codes(["prompt", "task"])
const PROGRAM_SAYS = codes(["injection", "hook", "skill"])

function codes(origins: Origin[]): ReadonlySet<number> {
  return new Set(origins.map((origin) => ORIGINS.indexOf(origin)))
}

/**
 * Goes to before the last `turns` turns, and before the program's own messages that precede the first of them. What comes before
 * the very first turn stays. `within`: rolled-back turns that a compaction had replaced; Codex removes them from the replacement.
 */
export function rolledBack(rows: Rows, head: Row, turns: number): { to: Row; within: number } {
  const compaction = rows.depth(rows.compaction(head))
  let [left, first, within] = [turns, NONE, 0]
  for (let row = head; row !== NONE && left > 0; row = rows.parent(row)) {
    if (!beginsTurn(rows, row)) continue
    first = row
    left--
    if (rows.depth(row) < compaction) within++
  }
  if (within > 0) within += left
  if (first === NONE) return { to: head, within }
  const before = rows.parent(first)
  let at = before
  while (at !== NONE && isPreparation(rows, at)) at = rows.parent(at)
  // There is only preparation above, so this is the first turn.
  return { to: at === NONE ? before : at, within }
}

export function beginsTurn(rows: Rows, row: Row): boolean {
  return rows.kind(row) === KIND.message && BEGINS_TURN.has(rows.origin(row))
}

function isPreparation(rows: Rows, row: Row): boolean {
  return rows.kind(row) === KIND.state || (rows.kind(row) === KIND.message && PROGRAM_SAYS.has(rows.origin(row)))
}
