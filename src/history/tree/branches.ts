// Which entries continue which: a tree knows parents, a picture needs children. One pass over the rows.
import { isEntryKind, KIND } from "../../model/record/record.ts"
import { NONE, type Row, type Tree } from "./tree.ts"

/** Contract: NONE stands for the empty conversation, whose children are the first entries of each conversation. */
export interface Branches {
  /** The entries that continue this one, newest first. */
  children: (row: Row) => Row[]
  /** The entries that continue the same one as this, itself included, oldest first: what a ‹ 2/3 › control shows. */
  siblings: (row: Row) => Row[]
  /** Whether more than one entry continues this one. */
  forks: (row: Row) => boolean
  /** The entry appended last, among this one and its descendants. */
  newest: (row: Row) => Row
  /** Messages and tips among this entry and its descendants. */
  messages: (row: Row) => number
  tips: (row: Row) => number
}

/** Contract: a view of the rows that exist now; it does not grow with the tree. */
export function branchesOf(tree: Pick<Tree, "size" | "kind" | "parent">): Branches {
  const { size } = tree
  // The last slot of each is the empty conversation.
  const slot = (row: Row) => (row === NONE ? size : row)
  const newestChild = new Uint32Array(size + 1).fill(NONE)
  const olderSibling = new Uint32Array(size + 1).fill(NONE)
  const newest = new Uint32Array(size + 1)
  const messages = new Uint32Array(size + 1)
  const tips = new Uint32Array(size + 1)
  for (let row = 0; row < size; row++) {
    if (!isEntryKind(tree.kind(row))) continue
    const parent = slot(tree.parent(row))
    olderSibling[row] = newestChild[parent] as number
    newestChild[parent] = row
  }
  for (let row = size - 1; row >= 0; row--) {
    if (!isEntryKind(tree.kind(row))) continue
    const parent = slot(tree.parent(row))
    newest[row] = Math.max(newest[row] as number, row)
    if (tree.kind(row) === KIND.message) messages[row] = (messages[row] as number) + 1
    if (newestChild[row] === NONE) tips[row] = 1
    newest[parent] = Math.max(newest[parent] as number, newest[row] as number)
    messages[parent] = (messages[parent] as number) + (messages[row] as number)
    tips[parent] = (tips[parent] as number) + (tips[row] as number)
  }

  const children = (row: Row) => {
    const found: Row[] = []
    for (let child = newestChild[slot(row)] as Row; child !== NONE; child = olderSibling[child] as Row) {
      found.push(child)
    }
    return found
  }
  return {
    children,
    siblings: (row) => children(tree.parent(row)).reverse(),
    forks(row) {
      const child = newestChild[slot(row)] as Row
      return child !== NONE && olderSibling[child] !== NONE
    },
    newest: (row) => newest[slot(row)] as Row,
    messages: (row) => messages[slot(row)] as number,
    tips: (row) => tips[slot(row)] as number,
  }
}
