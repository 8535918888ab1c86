// What was done, in log order, as undo and redo see it: rounds, and moves.
import { isEntryKind, KIND } from "../model/kind.ts"
import { undoable } from "./plan-undo.ts"
import { NONE, type Row, type Tree } from "./tree.ts"

export interface Unit {
  /** `round`: entries that were appended; `move`: an operation. */
  type: "round" | "move"
  /** The operation, or the first entry that was appended. */
  row: Row
  /** Where the head was before and after. */
  from: Row
  to: Row
  /** Undone, and not done again since. An undo and a redo are never undone themselves: the other one follows. */
  undone: boolean
  /** What undo would take back now, and what redo would do again. */
  next: "undo" | "redo" | undefined
}

/** Newest first. Costs the whole log, without its bodies. */
export function* units(tree: Tree): Generator<Unit> {
  const live = new Set(undoable(tree))
  const last = tree.size - 1
  const undo = last < 0 ? NONE : tree.undo(last)
  const redo = last < 0 || tree.redo(last) === NONE ? NONE : tree.unit(tree.redo(last))
  /** The head after the entries of a round, which come before we meet its first one. */
  let to = NONE
  let appended = false
  for (let row = last; row >= 0; row--) {
    const kind = tree.kind(row)
    if (kind === KIND.operation) {
      // An undo or redo that took effect left the first row of a unit as it was: it is none itself.
      const undone = tree.undo(row) === row && !live.has(row)
      yield { type: "move", row, from: tree.parent(row), to: tree.headAfter(row), undone, next: nextOf(row) }
      appended = false
      if (ownEntry(tree, row)) row--
    } else if (isEntryKind(kind)) {
      if (!appended) to = row
      appended = true
      if (tree.undo(row) !== row) continue
      yield { type: "round", row, from: tree.parent(row), to, undone: !live.has(row), next: nextOf(row) }
      appended = false
    }
  }

  function nextOf(row: Row): Unit["next"] {
    if (row === undo) return "undo"
    return row === redo ? "redo" : undefined
  }
}

/** Whether the entry before an operation was appended for it: a note, a compaction. Together they are one unit. */
function ownEntry(tree: Tree, row: Row): boolean {
  const before = row - 1
  const kind = before < 0 ? KIND.blank : tree.kind(before)
  return (kind === KIND.note || kind === KIND.compaction) && tree.headAfter(row) === before
}
