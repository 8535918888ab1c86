// One line of the tree: its lanes, names, what happened, and how much.
import type { Stretch } from "../../../history/graph/graph.ts"
import { MARKS, picture } from "../../../history/graph/graph-picture.ts"
import { amounts, type StretchWords, tell } from "../../../history/graph/stretch-words.ts"
import { type History, NONE, type Row } from "../../../history/tree/tree.ts"
import { KIND } from "../../../model/record/record.ts"
import { AGE_WIDTH, age, count } from "../../../model/text/amounts.ts"
import { pad } from "../../../model/text/sanitise.ts"
import { unreachable } from "../../../model/unreachable.ts"
import type { Theme } from "../../terminal/theme.ts"
import { type LinePiece, piece } from "../../text/line.ts"
import { listRow } from "../frame/frame.ts"
import type { TreeLine } from "./tree-lines.ts"

export interface RowView {
  history: History
  theme: Theme
  now: number
  head: Row
  /** Names of entries, and the sessions that start at them. */
  labels: ReadonlyMap<Row, string>
  sessions: ReadonlyMap<Row, readonly string[]>
}

/** The words of a stretch are computed once, because reading the entries of a round is expensive. */
export type Memory = Map<string, { told: StretchWords; names: LinePiece[] }>

const MOST_REMEMBERED = 4_000

export function treeRow(view: RowView, memory: Memory, line: TreeLine, chosen: boolean, width: number): string {
  const { theme } = view
  const { row, lanes, left, right } = wordsOf(view, memory, line, width)
  const when = pad(row === NONE ? "" : age(view.history.record(row)?.at ?? "", view.now), AGE_WIDTH, "left")
  return listRow(theme, chosen, [piece(`${when}  `, theme.quiet), lanes, " ", ...left], width, [
    piece(right, theme.quiet),
  ])
}

interface RowWords {
  row: Row
  lanes: LinePiece
  left: LinePiece[]
  right: string
}

function wordsOf(view: RowView, memory: Memory, line: TreeLine, width: number): RowWords {
  const { theme } = view
  const quiet = (text: string) => piece(text, theme.quiet)
  const isHead = (line.type === "stretch" || line.type === "start") && line.head
  const lanes = line.type === "entry" ? markOf(view, line.row) : picture(line)
  const drawn = isHead ? piece(lanes, theme.head) : "onPath" in line && !line.onPath ? quiet(lanes) : lanes
  const head = isHead ? [piece("head ", theme.head)] : []
  switch (line.type) {
    case "stretch": {
      const { told, names } = remembered(view, memory, line.stretch)
      const room = width - lanes.length - 8
      const text = line.onPath ? told.text : quiet(told.text)
      const left = [...head, ...names, ...numberOf(view, line), ...introOf(view, line.stretch, told), text]
      return { row: line.stretch.last, lanes: drawn, left, right: isOne(line.stretch) ? "" : amounts(told, room) }
    }
    case "entry": {
      const single: Stretch = { first: line.row, last: line.row, named: line.row, starts: "more", messages: 0 }
      const { told, names } = remembered(view, memory, { ...single, starts: startOf(view.history, line.row) })
      const own = line.row === view.head ? [piece("head ", theme.head)] : []
      const text = line.onPath ? told.text : quiet(told.text)
      return { row: line.row, lanes: drawn, left: [...own, ...names, ...introOf(view, single, told), text], right: "" }
    }
    case "folded": {
      const { first, newest, messages, tips } = line.branch
      const starts = { first, last: first, named: first, starts: startOf(view.history, first), messages: 0 }
      const { told } = remembered(view, memory, starts)
      const left = [...namesAt(view, newest), quiet(`folded: ${told.intro === "…" ? "" : told.intro}${told.text}`)]
      const branches = tips === 1 ? "" : `, ${tips} branches`
      return { row: newest, lanes: quiet(lanes), left, right: `${count(messages, "message")}${branches}` }
    }
    case "others": {
      const text = `folded: ${line.branches} more branches`
      return { row: NONE, lanes: drawn, left: [quiet(text)], right: count(line.messages, "message") }
    }
    case "start":
      return { row: NONE, lanes: drawn, left: [...head, quiet("start: the empty conversation")], right: "" }
    case "join":
    case "rest":
      return { row: NONE, lanes: quiet(lanes), left: [], right: "" }
    default:
      return unreachable(line)
  }
}

function isOne({ first, last }: Stretch): boolean {
  return first === last
}

function markOf({ history, head }: RowView, row: Row): string {
  if (row === head) return MARKS.head
  return history.kind(row) === KIND.note || history.kind(row) === KIND.compaction ? MARKS.left : MARKS.round
}

function startOf(history: History, row: Row): Stretch["starts"] {
  if (history.isPrompt(row)) return "prompt"
  if (history.kind(row) === KIND.note) return "note"
  return history.kind(row) === KIND.compaction ? "compaction" : "more"
}

/** "@3" for the third prompt of the path: what you can type to name it. */
function numberOf({ history, theme }: RowView, line: Extract<TreeLine, { type: "stretch" }>): LinePiece[] {
  const counted = line.onPath && line.stretch.starts === "prompt"
  return counted ? [piece(`@${history.round(line.stretch.named)} `, theme.quiet)] : []
}

function introOf({ theme }: RowView, stretch: Stretch, told: StretchWords): LinePiece[] {
  if (told.intro === "" || told.intro === "…") return []
  return [piece(`${told.intro} `, stretch.starts === "more" ? theme.quiet : theme.mark)]
}

function remembered(view: RowView, memory: Memory, stretch: Stretch): { told: StretchWords; names: LinePiece[] } {
  const key = `${stretch.first} ${stretch.last} ${stretch.messages}`
  const known = memory.get(key)
  if (known !== undefined) return known
  if (memory.size > MOST_REMEMBERED) memory.clear()
  const found = { told: tell(view.history, stretch), names: namesIn(view, stretch) }
  memory.set(key, found)
  return found
}

/** Labels and sessions in a run of entries, oldest first. */
function namesIn(view: RowView, { first, last }: Stretch): LinePiece[] {
  const names: LinePiece[] = []
  if (view.labels.size + view.sessions.size === 0) return names
  for (let row = last; row !== NONE; row = view.history.parent(row)) {
    names.unshift(...namesAt(view, row))
    if (row === first) break
  }
  return names
}

function namesAt({ labels, sessions, theme }: RowView, row: Row): LinePiece[] {
  const label = labels.get(row)
  const names = label === undefined ? [] : [piece(`[${label}] `, theme.label)]
  return [...names, ...(sessions.get(row) ?? []).map((name) => piece(`(${name}) `, theme.label))]
}
