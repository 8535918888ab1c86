// Lines that were taken in from another log: everything from the first of them up to the operation that says so.
import { KIND } from "../../model/record/record.ts"
import { NONE, type Row, type Tree } from "../tree/tree.ts"

/** The first of the lines that an operation took in; NONE for any other row. Only such an operation is linked to no stack of its own. */
export function takenFrom(tree: Tree, row: Row): Row {
  if (tree.kind(row) !== KIND.operation || tree.undo(row) === row || tree.unit(row) !== NONE) return NONE
  return tree.link(row)
}
