// Where somebody stands in the log, whose head another writer may have moved since: what can be undone from there.
import type { Row, Tree } from "../tree/tree.ts"

/** How many lines are looked through for the one that left the head where somebody stands. */
const LINES = 64

/**
 * The row after which undo and redo are what they are for whoever stands at `head`: the last one that left the head
 * there, if it is among the last lines; else the entry's own. NONE for the beginning of a log.
 */
export function undoPoint(tree: Tree, head: Row): Row {
  const last = tree.size - 1
  for (let row = last; row >= 0 && row > last - LINES; row--) if (tree.headAfter(row) === head) return row
  return head
}
