// The lines of the tree: the graph as requested, built as far as the person scrolls.
import { type GraphLine, graph } from "../../../history/graph/graph.ts"
import { type History, NONE, type Row } from "../../../history/tree/tree.ts"
import { type LazyList, lazyList } from "../list/lazy-list.ts"

/** `prompts`: a line for each round, note and compaction. `all`: one for each entry. `labelled`: entries with a name. */
export const VIEWS = ["prompts", "all", "labelled"] as const
export type TreeView = (typeof VIEWS)[number]

/** `entry`: an entry outside the graph. */
export type TreeLine = GraphLine | { type: "entry"; row: Row; onPath: boolean }

export interface TreeRequest {
  view: TreeView
  head: Row
  labelled: ReadonlySet<Row>
  folded: ReadonlySet<Row>
  lanes: number
}

export function treeLines(history: History, request: TreeRequest): LazyList<TreeLine> {
  const { view, head, labelled, folded, lanes } = request
  if (view === "labelled")
    return lazyList(
      flat(
        history,
        head,
        [...labelled].sort((a, b) => b - a),
      ),
    )
  const stops = view === "all" ? () => true : (row: Row) => labelled.has(row) && !history.isPrompt(row)
  return lazyList(graph(history, head, { show: "all", lanes, folded: 4, stops, isFolded: (row) => folded.has(row) }))
}

/** Entries one below the other, as found by a search. */
export function* flat(history: History, head: Row, rows: Iterable<Row>): Generator<TreeLine> {
  const isOnHeadsPath = pathTest(history, head)
  for (const row of rows) yield { type: "entry", row, onPath: isOnHeadsPath(row) }
}

/** For many rows: one walk for all of them. */
export function pathTest(history: History, head: Row): (row: Row) => boolean {
  let on: Set<Row> | undefined
  return (row) => {
    if (on === undefined) {
      on = new Set()
      for (let at = head; at !== NONE; at = history.parent(at)) on.add(at)
    }
    return on.has(row)
  }
}

/** The entry that a line represents: where Enter goes. */
export function rowOfLine(line: TreeLine | undefined): Row {
  if (line === undefined) return NONE
  if (line.type === "entry") return line.row
  if (line.type === "stretch") return line.stretch.last
  return line.type === "folded" ? line.branch.newest : NONE
}

/** The first entry of the branch that a line is in, or would open; NONE for the path. */
export function branchOfLine(lines: LazyList<TreeLine>, at: number): Row {
  const line = lines.at(at)
  if (line?.type === "folded") return line.branch.first
  if (line?.type !== "stretch" || line.lane === 0) return NONE
  // The branch ends above the line that joins it to the one it leaves.
  let first = line.stretch.first
  for (let next = at + 1; next <= lines.upTo(next + 1); next++) {
    const below = lines.at(next)
    if (below === undefined) break
    if (below.type === "join" && below.lane === line.lane) return first
    if (below.type === "stretch" && below.lane === line.lane) first = below.stretch.first
  }
  return first
}

/** The line that shows an entry, or the folded branch that contains it; -1 if there is none. */
export function lineOfRow(history: History, lines: LazyList<TreeLine>, row: Row): number {
  if (row === NONE) return -1
  const above = new Set<Row>()
  for (let at = row; at !== NONE; at = history.parent(at)) above.add(at)
  let folded = -1
  for (let at = 0; at < lines.upTo(at + 1); at++) {
    const line = lines.at(at)
    if (line?.type === "entry" && line.row === row) return at
    if (line?.type === "stretch" && above.has(line.stretch.first) && holds(history, line.stretch, row)) return at
    if (line?.type === "folded" && above.has(line.branch.first)) folded = at
  }
  return folded
}

function holds(history: History, { first, last }: { first: Row; last: Row }, row: Row): boolean {
  if (history.depth(row) > history.depth(last)) return false
  for (let at = last; at !== NONE; at = history.parent(at)) {
    if (at === row) return true
    if (at === first) return false
  }
  return false
}
