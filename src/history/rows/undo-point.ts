// What a writer can undo from its position, when another writer may have moved the head since.
import type { Row, Tree } from "../tree/tree.ts"

/** How many lines to search for the one that left the head there. */
const LINES = 64

/**
 * The row whose undo and redo stacks apply to a writer at `head`: the last one that left the head
 * there, if it is among the last lines; else the entry's own. NONE for the beginning of a log.
 */
export function undoPoint(tree: Tree, head: Row): Row {
  const last = tree.size - 1
  for (let row = last; row >= 0 && row > last - LINES; row--) if (tree.headAfter(row) === head) return row
  return head
}
