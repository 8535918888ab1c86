// Walks over the tree. No recursion: a path of a million entries is a loop.
import { isEntryKind } from "../model/kind.ts"
import { NONE, type Row, type Tree } from "./tree.ts"

/** The entries from `after` (exclusive, NONE for the root) to `head`, in order. */
export function path(tree: Tree, head: Row, after: Row = NONE): Row[] {
  const rows: Row[] = []
  for (let row = head; row !== NONE && row !== after; row = tree.parent(row)) rows.push(row)
  return rows.reverse()
}

/** The prompts from the root to `head`, in order. Costs the number of rounds, not of entries. */
export function prompts(tree: Tree, head: Row): Row[] {
  const rows: Row[] = []
  for (let row = tree.prompt(head); row !== NONE; row = tree.prompt(tree.parent(row))) rows.push(row)
  return rows.reverse()
}

/** The deepest entry that both stand on, or NONE. */
export function commonAncestor(tree: Tree, a: Row, b: Row): Row {
  let [left, right] = [a, b]
  while (left !== right) {
    if (tree.depth(left) >= tree.depth(right)) left = tree.parent(left)
    else right = tree.parent(right)
  }
  return left
}

/** Whether `row` is on the path to `head`. The empty conversation is on every path. */
export function isOnPath(tree: Tree, row: Row, head: Row): boolean {
  if (row === NONE) return true
  const depth = tree.depth(row)
  let at = head
  while (at !== NONE && tree.depth(at) > depth) at = tree.parent(at)
  return at === row
}

/** All entries, in log order. */
export function* entries(tree: Tree): Generator<Row> {
  for (let row = 0; row < tree.size; row++) if (isEntryKind(tree.kind(row))) yield row
}

/** How two heads differ. */
export interface Comparison {
  common: Row
  /** Entries that only the first, or only the second path has. */
  onlyA: number
  onlyB: number
}

export function compare(tree: Tree, a: Row, b: Row): Comparison {
  const common = commonAncestor(tree, a, b)
  return { common, onlyA: tree.depth(a) - tree.depth(common), onlyB: tree.depth(b) - tree.depth(common) }
}
