// Backtrack: the agent goes back to a checkpoint of its own and leaves its future self a note.
import type { Failure } from "../model/failure.ts"
import { KIND } from "../model/kind.ts"
import { path } from "./path.ts"
import { checkpoints } from "./state.ts"
import type { History, Row } from "./tree.ts"

export interface BacktrackPlan {
  from: Row
  /** The note's parent. */
  checkpoint: Row
  n: number
  /** Messages that the model no longer sees. */
  discards: number
  /** The prompt it returns to, or NONE. */
  prompt: Row
}

export function planBacktrack(
  history: History,
  head: Row,
  n: number,
): { ok: true; plan: BacktrackPlan } | { ok: false; failure: Failure } {
  const possible = checkpoints(history, head)
  const found = possible.findLast((checkpoint) => checkpoint.n === n)
  if (found === undefined) {
    const names = possible.map((checkpoint) => String(checkpoint.n))
    return { ok: false, failure: { code: "not-found", what: "checkpoint", name: String(n), possible: names } }
  }
  const discards = path(history, head, found.row).filter((row) => history.kind(row) === KIND.message).length
  return { ok: true, plan: { from: head, checkpoint: found.row, n, discards, prompt: history.prompt(found.row) } }
}
