// The items that the conversation shows for a path, from the rows alone: no body is needed to count them.
import { NONE, path, type Row, type Tree } from "../../src/history/tree/tree.ts"
import { ORIGINS, ROLES } from "../../src/model/record/origin.ts"
import { KIND } from "../../src/model/record/record.ts"

export interface ShownItem {
  /** Unique to the row until rows are rebuilt. Not the id, which would cost more than everything else here. */
  key: string
  row: Row
  kind: "prompt" | "steer" | "shell" | "answer" | "note" | "compaction" | "aside" | "unknown"
  /** For an answer: the rows with its calls' results. For unknown entries: those after the first. */
  results: readonly Row[]
  /** For a compaction: how many messages it hides. */
  hides: number
}

/** Items of the path up to `after`, where a round ends. */
export interface ItemsBefore {
  items: ShownItem[]
  after: Row
}

/** `isOpen`: whether to show what a compaction replaced. `before`: what is already known. */
export function itemsOf(
  tree: Tree,
  head: Row,
  isOpen: (compaction: Row) => boolean,
  before: ItemsBefore = { items: [], after: NONE },
): ShownItem[] {
  let items = before.items
  let answer: ShownItem | undefined
  /** One line for all of a round: an agent may write such records between any two messages. */
  let unknown: ShownItem | undefined
  for (const row of path(tree, head, before.after)) {
    const kind = kindOf(tree, row)
    if (kind === undefined) continue
    if (kind === "result") {
      if (answer === undefined) items.push(item(row, "aside"))
      else answer.results = [...answer.results, row]
      continue
    }
    if (kind === "unknown" && unknown !== undefined) {
      unknown.results = [...unknown.results, row]
      continue
    }
    const next = item(row, kind)
    if (kind === "unknown") unknown = next
    else if (kind === "prompt" || kind === "compaction") unknown = undefined
    if (kind === "compaction") {
      next.hides = items.length
      if (!isOpen(row)) items = []
    }
    items.push(next)
    if (kind === "answer") answer = next
    else if (kind === "prompt" || kind === "steer") answer = undefined
  }
  return items
}

/** The compactions between a row and the head, which hide it. */
export function hiddenBy(tree: Tree, row: Row, head: Row): Row[] {
  const found: Row[] = []
  for (let at = tree.compaction(head); at !== NONE && at > row; at = tree.compaction(tree.parent(at))) found.push(at)
  return found
}

/** Most have none: a long conversation has tens of thousands of items. */
const NO_RESULTS: readonly Row[] = []

function item(row: Row, kind: ShownItem["kind"]): ShownItem {
  return { key: String(row), row, kind, results: NO_RESULTS, hides: 0 }
}

function kindOf(tree: Tree, row: Row): ShownItem["kind"] | "result" | undefined {
  switch (tree.kind(row)) {
    case KIND.message:
      return messageKind(tree, row)
    case KIND.note:
      return "note"
    case KIND.compaction:
      return "compaction"
    case KIND.merge:
      return "aside"
    case KIND.unknownEntry:
      return "unknown"
    default:
      return undefined
  }
}

function messageKind(tree: Tree, row: Row): ShownItem["kind"] | "result" {
  const role = ROLES[tree.role(row)]
  if (role === "assistant") return "answer"
  if (role === "tool") return "result"
  if (tree.isPrompt(row)) return "prompt"
  const origin = ORIGINS[tree.origin(row)]
  if (role === "user" && (origin === "steer" || origin === "shell")) return origin
  return "aside"
}
