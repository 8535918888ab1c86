// A plan says exactly what an operation would do. The dry run shows it, the session carries it out: they cannot differ.
import type { Failure } from "../../model/failure/failure.ts"
import type { RecordId } from "../../model/id.ts"
import type { OperationKind } from "../../model/record/record.ts"
import { compare, NONE, type Row, type Tree } from "../tree/tree.ts"

export interface MovePlan {
  kind: OperationKind
  from: Row
  to: Row
  /** Entries that only the old path has. */
  left: number
  /** Messages among them. */
  messages: number
  /** Entries that come back: an undo or redo may return to them. */
  regained: number
  /** The prompt whose text goes back into the editor, or NONE. */
  prompt: Row
  undoes?: RecordId
}

export type Planned = { ok: true; plan: MovePlan } | { ok: false; failure: Failure }

export function refuse(failure: Failure): Planned {
  return { ok: false, failure }
}

export function plan(
  tree: Tree,
  kind: OperationKind,
  move: { from: Row; to: Row; prompt?: Row; undoes?: RecordId },
): Planned {
  const { common, onlyA, onlyB } = compare(tree, move.from, move.to)
  const planned: MovePlan = {
    kind,
    from: move.from,
    to: move.to,
    left: onlyA,
    messages: tree.messages(move.from) - tree.messages(common),
    regained: onlyB,
    prompt: move.prompt ?? NONE,
  }
  if (move.undoes !== undefined) planned.undoes = move.undoes
  return { ok: true, plan: planned }
}
