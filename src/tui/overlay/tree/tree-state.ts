// What the tree shows now: its lines, the cursor, what is folded. It follows the session as it grows.
import { NONE, type Row } from "../../../history/tree/tree.ts"
import type { SessionContents } from "../../../protocol/host.ts"
import type { LazyList } from "../list/lazy-list.ts"
import { fitList, LIST_START, type ListState, moveList, visibleRows } from "../list/list.ts"
import { branchOfLine, lineOfRow, rowOfLine, type TreeLine, type TreeView, treeLines, VIEWS } from "./tree-lines.ts"

export interface TreeState {
  readonly view: TreeView
  /** The entry under the cursor; NONE for the empty conversation and for lines without one. */
  readonly row: Row
  readonly line: TreeLine | undefined
  readonly labels: ReadonlyMap<Row, string>
  visible(height: number): { line: TreeLine; chosen: boolean }[]
  /** Whether the key moved the cursor. */
  move(key: string): boolean
  nextView(): void
  /** Folds or opens the branch under the cursor. Returns whether there was one. */
  fold(how: "fold" | "open" | "turn"): boolean
  /** Puts the cursor on an entry, and opens what hides it. */
  show(row: Row): void
  /** The tree has changed: the next frame rebuilds it. */
  refresh(): void
  /** How many lanes there is room for. */
  setLanes(lanes: number): void
}

export function makeTreeState(session: SessionContents): TreeState {
  const { history } = session
  const folded = new Set<Row>()
  let view: TreeView = "prompts"
  let lanes = 12
  let list: ListState = LIST_START
  let height = 10
  let labels = new Map<Row, string>()
  let lines: LazyList<TreeLine> | undefined
  let wanted: Row = session.head

  /** The lines, rebuilt if they are out of date; the cursor stays on its entry. */
  function current(): LazyList<TreeLine> {
    if (lines !== undefined) return lines
    labels = new Map([...session.labels()].map(([id, name]) => [history.rowOf(id), name]))
    lines = treeLines(history, { view, head: session.head, labelled: new Set(labels.keys()), folded, lanes })
    const at = lineOfRow(history, lines, wanted)
    list = at === -1 ? { at: 0, top: 0 } : { at, top: Math.max(0, at - Math.floor(height / 2)) }
    return lines
  }

  function rebuild(): void {
    const row = lines === undefined ? wanted : rowOfLine(lines.at(list.at))
    if (row !== NONE) wanted = row
    lines = undefined
  }

  const isEmptyLine = (line: TreeLine | undefined) => line?.type === "join" || line?.type === "rest"

  return {
    get view() {
      return view
    },
    get line() {
      return current().at(list.at)
    },
    get row() {
      return rowOfLine(current().at(list.at))
    },
    get labels() {
      current()
      return labels
    },
    visible(rows) {
      height = rows
      const all = current()
      const known = all.upTo(list.top + 2 * rows + 1)
      list = fitList(list, known, rows)
      return visibleRows(list, known, rows).map((at) => ({ line: all.at(at) as TreeLine, chosen: at === list.at }))
    },
    move(key) {
      const all = current()
      const known = key === "end" ? all.upTo(Number.POSITIVE_INFINITY) : all.upTo(list.at + 2 * height + 1)
      const moved = moveList(list, key, known, height)
      if (moved === undefined) return false
      const step = moved.at >= list.at && key !== "end" ? 1 : -1
      // Lines without an entry are skipped, unless nothing follows them.
      let at = moved.at
      while (isEmptyLine(all.at(at)) && at + step >= 0 && at + step < all.upTo(at + step + 1)) at += step
      list = fitList({ at: isEmptyLine(all.at(at)) ? list.at : at, top: moved.top }, known + 1, height)
      return true
    },
    nextView() {
      rebuild()
      view = VIEWS[(VIEWS.indexOf(view) + 1) % VIEWS.length] ?? "prompts"
    },
    fold(how) {
      const all = current()
      const first = view === "labelled" ? NONE : branchOfLine(all, list.at)
      if (first === NONE) return false
      const isFolded = folded.has(first)
      if (how === "open" ? !isFolded : how === "fold" && isFolded) return false
      rebuild()
      if (isFolded) folded.delete(first)
      else {
        folded.add(first)
        wanted = first
      }
      return true
    },
    show(row) {
      if (view === "labelled") view = "all"
      for (let at = row; at !== NONE; at = history.parent(at)) folded.delete(at)
      lines = undefined
      wanted = row
    },
    refresh: rebuild,
    setLanes(room) {
      if (room === lanes) return
      rebuild()
      lanes = room
    },
  }
}
