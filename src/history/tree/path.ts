// Walks over the tree. No recursion: a path of a million entries is a loop.
import { isEntryKind } from "../../model/record/kind.ts"
import { type Entry, isEntry } from "../../model/record/record.ts"
import { type History, NONE, type Row, type Tree } from "./tree.ts"

/** The entries from `after` (exclusive, NONE for the root) to `head`, in order. */
export function path(tree: Tree, head: Row, after: Row = NONE): Row[] {
  const rows: Row[] = []
  for (let row = head; row !== NONE && row !== after; row = tree.parent(row)) rows.push(row)
  return rows.reverse()
}

/** The same from the root, with their bodies. What cannot be read is left out. */
export function* entriesOf(history: History, head: Row): Generator<Entry> {
  for (const row of path(history, head)) {
    const record = history.record(row)
    if (record !== undefined && isEntry(record)) yield record
  }
}

/** The first entry of the path to `head`, or NONE. Costs the logarithm of the path. */
export function root(tree: Tree, head: Row): Row {
  return head === NONE ? NONE : ancestorAt(tree, head, 1)
}

/** The prompts from the root to `head`, or the last few, in order. Costs that many rounds, not entries. */
export function prompts(tree: Tree, head: Row, last = Number.POSITIVE_INFINITY): Row[] {
  const rows: Row[] = []
  for (let row = tree.prompt(head); row !== NONE && rows.length < last; row = tree.prompt(tree.parent(row))) {
    rows.push(row)
  }
  return rows.reverse()
}

/** The prompt that starts the n-th round of the path to `head`, or NONE. Costs the logarithm of the path. */
export function promptAt(tree: Tree, head: Row, n: number): Row {
  if (n < 1 || n > tree.round(head)) return NONE
  let row = head
  while (tree.round(row) > n) {
    const far = tree.jump(row)
    row = tree.round(far) >= n ? far : tree.parent(row)
  }
  return tree.prompt(row)
}

/** The ancestor of `row`, or `row` itself, at this depth. */
function ancestorAt(tree: Tree, row: Row, depth: number): Row {
  let at = row
  while (tree.depth(at) > depth) {
    const far = tree.jump(at)
    at = tree.depth(far) >= depth ? far : tree.parent(at)
  }
  return at
}

/** The deepest entry that both paths share, or NONE. Costs the logarithm of the paths. */
export function commonAncestor(tree: Tree, a: Row, b: Row): Row {
  const depth = Math.min(tree.depth(a), tree.depth(b))
  let [left, right] = [ancestorAt(tree, a, depth), ancestorAt(tree, b, depth)]
  // Both are at the same depth, so both jump equally far; they jump as long as that does not make them meet.
  while (left !== right) {
    const [farLeft, farRight] = [tree.jump(left), tree.jump(right)]
    const meet = farLeft === farRight
    left = meet ? tree.parent(left) : farLeft
    right = meet ? tree.parent(right) : farRight
  }
  return left
}

/** Whether `row` is on the path to `head`. The empty conversation is on every path. */
export function isOnPath(tree: Tree, row: Row, head: Row): boolean {
  return row === NONE || ancestorAt(tree, head, tree.depth(row)) === row
}

/** All entries, in log order. */
export function* entries(tree: Pick<Tree, "size" | "kind">): Generator<Row> {
  for (let row = 0; row < tree.size; row++) if (isEntryKind(tree.kind(row))) yield row
}

/** How two heads differ. */
export interface Comparison {
  common: Row
  /** Entries that only the first path has, and entries that only the second has. */
  onlyA: number
  onlyB: number
}

export function compare(tree: Tree, a: Row, b: Row): Comparison {
  const common = commonAncestor(tree, a, b)
  return { common, onlyA: tree.depth(a) - tree.depth(common), onlyB: tree.depth(b) - tree.depth(common) }
}
