// Backtrack: the agent goes back to one of its checkpoints and leaves a note for its future self.
import type { Failure } from "../../model/failure/failure.ts"
import { KIND } from "../../model/record/record.ts"
import { checkpoints } from "../tree/state.ts"
import { type History, NONE, path, type Row, type Tree } from "../tree/tree.ts"

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

/** A checkpoint to go back to, and how often the agent has gone back to that place since the person's last message. */
export interface Returns {
  n: number
  times: number
}

export function returnsAt(history: History, head: Row): Returns[] {
  const times = new Map<Row, number>()
  for (let row = history.size - 1; row >= 0 && !history.isPrompt(row); row--) {
    if (history.kind(row) !== KIND.note) continue
    const place = placeOf(history, history.parent(row))
    times.set(place, (times.get(place) ?? 0) + 1)
  }
  return checkpoints(history, head).map(({ n, row }) => ({ n, times: times.get(placeOf(history, row)) ?? 0 }))
}

/** Checkpoints without a message between them are one place. */
function placeOf(tree: Tree, checkpoint: Row): Row {
  let place = checkpoint
  for (let row = tree.parent(checkpoint); row !== NONE && tree.kind(row) !== KIND.message; row = tree.parent(row)) {
    if (tree.kind(row) === KIND.checkpoint) place = row
  }
  return place
}
