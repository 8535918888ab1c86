// The log on a screen: id, age, graph, what happened, how much of it. One line per run of entries.
import { type GraphLine, type GraphOptions, graph } from "../../history/graph/graph.ts"
import { picture } from "../../history/graph/graph-picture.ts"
import { amounts, tell } from "../../history/graph/stretch-words.ts"
import type { ShortIds } from "../../history/tree/short-ids.ts"
import type { History, Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import { AGE_WIDTH, age, count } from "../../model/text/amounts.ts"
import { clip, pad, sanitiseLine, widthOf } from "../../model/text/sanitise.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { Paint, Style } from "./style.ts"

export interface LogView {
  history: History
  head: Row
  labels: ReadonlyMap<EntryId, string>
  /** Sessions that were split off, by the entry they start from. */
  splits: ReadonlyMap<EntryId, readonly string[]>
  ids: ShortIds
  now: number
  width: number
  style: Style
  /** How a command names the session, such as " -s 7b0c26". */
  which?: string
}

/** How many branches that leave one entry are named in the short view. */
const NAMED_BRANCHES = 4

/** Contract: lines are made lazily. */
export function* logLines(view: LogView, options: Pick<GraphOptions, "show" | "limit">): Generator<string> {
  const { history, labels } = view
  const labelled = new Set([...labels.keys()].map((id) => history.rowOf(id)))
  const stops = (row: Row) => labelled.has(row) && !history.isPrompt(row)
  const lanes = Math.max(3, Math.floor((view.width - 40) / 4))
  let folded = 0
  for (const line of graph(history, view.head, { ...options, stops, lanes, folded: NAMED_BRANCHES })) {
    if (line.type === "folded") folded += line.branch.tips
    if (line.type === "others") folded += line.branches
    yield drawLine(view, line).trimEnd()
  }
  if (folded === 0) return
  yield ""
  const are = folded === 1 ? "1 branch is" : `${folded} branches are`
  yield view.style.quiet(clip(`${are} not shown. See all with: retcon log --all${view.which ?? ""}`, view.width))
}

interface Words {
  row: Row | undefined
  tags: Tag[]
  text: string
  paint: Paint
  /** To the right of the text, as far as there is room. */
  amount: (room: number) => string
}

interface Tag {
  text: string
  paint: Paint
}

function drawLine(view: LogView, line: GraphLine): string {
  const { style } = view
  const lanes = picture(line)
  const words = wordsOf(view, line)
  const id = pad(words.row === undefined ? "" : view.ids.of(words.row), view.ids.width)
  const when = pad(words.row === undefined ? "" : ageOf(view, words.row), AGE_WIDTH, "left")
  const room = view.width - view.ids.width - AGE_WIDTH - 4 - widthOf(lanes) - 1
  const head = (line.type === "stretch" || line.type === "start") && line.head
  return `${style.id(id)}  ${style.quiet(when)}  ${head ? headLanes(lanes, style) : lanes} ${body(words, room, style)}`
}

function headLanes(lanes: string, style: Style): string {
  return `${lanes.slice(0, -1)}${style.head(lanes.slice(-1))}`
}

function ageOf(view: LogView, row: Row): string {
  return age(view.history.record(row)?.at ?? "", view.now)
}

/** Tags, then text, then amounts at the right edge: the text is clipped first. */
function body(words: Words, room: number, style: Style): string {
  let amount = words.amount(room)
  if (amount !== "" && room - widthOf(amount) < 20) amount = ""
  let left = amount === "" ? room : room - widthOf(amount) - 2
  const whole = left
  let painted = ""
  for (const tag of words.tags) {
    if (left < 8) break
    const text = clip(tag.text, left - 1)
    painted += `${tag.paint(text)} `
    left -= widthOf(text) + 1
  }
  const text = clip(words.text, left)
  painted += words.paint(text)
  if (amount === "") return painted
  const used = whole - left + widthOf(text)
  return `${painted}${" ".repeat(Math.max(0, whole - used) + 2)}${style.quiet(amount)}`
}

function wordsOf(view: LogView, line: GraphLine): Words {
  const { history, style } = view
  const plain = (text: string) => text
  const none = () => ""
  switch (line.type) {
    case "stretch": {
      const { stretch } = line
      const told = tell(history, stretch)
      const tags: Tag[] = line.head ? [{ text: "head", paint: style.head }] : []
      tags.push(...namesOf(view, stretch.last))
      if (stretch.named !== stretch.last) tags.push(...namesOf(view, stretch.named))
      if (line.onPath && stretch.starts === "prompt") {
        tags.push({ text: `@${history.round(stretch.named)}`, paint: style.quiet })
      }
      if (told.intro !== "")
        tags.push({ text: told.intro, paint: stretch.starts === "more" ? style.quiet : style.mark })
      return { row: stretch.last, tags, text: told.text, paint: plain, amount: (room) => amounts(told, room) }
    }
    case "folded": {
      const { first, newest, messages, tips } = line.branch
      const starts = { first, last: first, named: first, starts: startsOf(history, first), messages: 0 }
      const told = tell(history, starts)
      const tags = [...namesOf(view, newest), { text: "left:", paint: style.quiet }]
      const text = told.intro === "" ? told.text : `${told.intro} ${told.text}`
      const amount = tips === 1 ? count(messages, "message") : `${count(messages, "message")}, ${tips} branches`
      return { row: newest, tags, text, paint: style.quiet, amount: () => amount }
    }
    case "others": {
      const text = `left: ${line.branches} more branches`
      return { row: undefined, tags: [], text, paint: style.quiet, amount: () => count(line.messages, "message") }
    }
    case "start": {
      const tags = line.head ? [{ text: "head", paint: style.head }] : []
      return { row: undefined, tags, text: "start: the empty conversation", paint: style.quiet, amount: none }
    }
    case "rest": {
      const text = `${count(line.entries, "more entry", "more entries")}; see them with a larger --limit`
      return { row: undefined, tags: [], text, paint: style.quiet, amount: none }
    }
    case "join":
      return { row: undefined, tags: [], text: "", paint: plain, amount: none }
    default:
      return unreachable(line)
  }
}

function startsOf(history: History, row: Row): "prompt" | "more" {
  return history.isPrompt(row) ? "prompt" : "more"
}

/** The label of an entry, and the sessions that were split off there. */
function namesOf(view: LogView, row: Row): Tag[] {
  const id = view.history.id(row) as EntryId
  const label = view.labels.get(id)
  const tags: Tag[] = label === undefined ? [] : [{ text: `[${sanitiseLine(label)}]`, paint: view.style.label }]
  for (const session of view.splits.get(id) ?? []) tags.push({ text: `(split ${session})`, paint: view.style.label })
  return tags
}
