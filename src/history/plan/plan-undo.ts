// Undo and redo walk units in log order, as in an editor. What was undone stays in the tree, even when it can no longer be redone.
import type { RecordId } from "../../model/id.ts"
import { isEntryKind, type OperationRecord } from "../../model/record/record.ts"
import { undoPoint } from "../rows/undo-point.ts"
import { isSaid } from "../tree/person-words.ts"
import { type History, NONE, type Row, type Tree } from "../tree/tree.ts"
import { type MovePlan, type Planned, plan, refuse } from "./plan.ts"

export function planUndo(tree: Tree, head: Row): Planned {
  const unit = tree.undo(undoPoint(tree, head))
  if (unit === NONE) return refuse({ code: "nothing-to-undo" })
  const to = tree.parent(unit)
  return plan(tree, "undo", { from: head, to, prompt: promptOf(tree, unit, head), undoes: tree.id(unit) })
}

export function planRedo(tree: Tree, head: Row): Planned {
  const undone = tree.redo(undoPoint(tree, head))
  if (undone === NONE) return refuse({ code: "nothing-to-redo" })
  return plan(tree, "redo", { from: head, to: tree.parent(undone), undoes: tree.id(undone) })
}

/** The prompt that the redone move gave back originally, or NONE. */
export function promptRedone(history: History, redo: Pick<MovePlan, "to" | "undoes">): Row {
  const undo = operation(history, redo.undoes)
  const given = operation(history, undo?.undoes)?.prompt
  const prompt = given === undefined ? NONE : history.rowOf(given)
  return prompt !== NONE && isSaid(history, prompt) && history.parent(prompt) === redo.to ? prompt : NONE
}

function operation(history: History, id: RecordId | undefined): OperationRecord | undefined {
  const row = id === undefined ? NONE : history.rowOf(id)
  const record = row === NONE ? undefined : history.record(row)
  return record?.type === "operation" ? record : undefined
}

/** The prompt in a unit of appended entries: undoing the unit gives its text back. */
function promptOf(tree: Tree, unit: Row, head: Row): Row {
  if (!isEntryKind(tree.kind(unit))) return NONE
  if (tree.isPrompt(unit)) return unit
  const prompt = tree.prompt(head)
  return prompt !== NONE && prompt > unit ? prompt : NONE
}
