// Undo and redo walk units in log order, as in an editor. What was undone stays in the tree, also when redo ends.
import { isEntryKind } from "../model/kind.ts"
import { type Planned, plan, refuse } from "./plan.ts"
import { NONE, type Row, type Tree } from "./tree.ts"

export function planUndo(tree: Tree, head: Row): Planned {
  const unit = tree.size === 0 ? NONE : tree.undo(tree.size - 1)
  if (unit === NONE) return refuse({ code: "nothing-to-undo" })
  const to = tree.parent(unit)
  return plan(tree, "undo", { from: head, to, prompt: promptOf(tree, unit, head), undoes: tree.id(unit) })
}

export function planRedo(tree: Tree, head: Row): Planned {
  const undone = tree.size === 0 ? NONE : tree.redo(tree.size - 1)
  if (undone === NONE) return refuse({ code: "nothing-to-redo" })
  return plan(tree, "redo", { from: head, to: tree.parent(undone), undoes: tree.id(undone) })
}

/** The prompt that a unit of appended entries holds: undoing it gives the text back. */
function promptOf(tree: Tree, unit: Row, head: Row): Row {
  if (!isEntryKind(tree.kind(unit))) return NONE
  if (tree.isPrompt(unit)) return unit
  const prompt = tree.prompt(head)
  return prompt !== NONE && prompt > unit ? prompt : NONE
}

/** The units that undo would walk, newest first. */
export function* undoable(tree: Tree): Generator<Row> {
  if (tree.size === 0) return
  for (let unit = tree.undo(tree.size - 1); unit !== NONE; unit = tree.link(unit)) yield unit
}
