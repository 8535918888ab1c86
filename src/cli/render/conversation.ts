// The conversation on the path, for reading: who, when, what; tool calls on one line, thinking shortened.
import { passedBy } from "../../history/tree/asked.ts"
import type { ShortIds } from "../../history/tree/short-ids.ts"
import type { History, Row } from "../../history/tree/tree.ts"
import { entryText } from "../../model/record/entry-text.ts"
import { isEntry, type LogRecord } from "../../model/record/record.ts"
import { ago, count, passedTitle } from "../../model/text/amounts.ts"
import { clip, pad, sanitiseLine, widthOf } from "../../model/text/sanitise.ts"
import { unreachable } from "../../model/unreachable.ts"
import { entriesOf, messageLines, type Results, type TextView, textLines } from "./message-lines.ts"
import type { Paint } from "./style.ts"

export interface ConversationView extends TextView {
  history: History
  ids: ShortIds
  now: number
  /** The width of the line above a message; by default that of all lines. */
  titleWidth?: number
}

/** Contract: lines are made lazily. `after`: only what follows this entry of the path. */
export function* conversation(view: ConversationView, head: Row, after?: Row): Generator<string> {
  const { history } = view
  let speaker = ""
  for (const { row, record, results } of entriesOf(history, head, after)) {
    if (record === undefined) {
      yield* block(view, row, undefined, "cannot be read", ["See what is wrong with: retcon doctor"], view.style.bad)
      speaker = ""
      continue
    }
    const said = [...linesOf(view, record, results), ...passedLines(view, row)]
    if (said.length === 0 && history.isPrompt(row)) said.push(view.style.quiet("(empty)"))
    if (said.length === 0) continue
    const { who, paint } = whoSays(view, row, record)
    if (who !== speaker || history.isPrompt(row)) yield* block(view, row, record, who, said, paint)
    else yield* [...said, ""]
    speaker = who
  }
}

/** What the person asked and the agent went back past: a line each, with the id to read or to go to. */
function* passedLines({ history, ids, width, style }: ConversationView, row: Row): Generator<string> {
  const passed = passedBy(history, row)
  if (passed.length === 0) return
  yield* ["", style.person(`${passedTitle(passed.length)}:`)]
  for (const { prompt } of passed) {
    const record = history.record(prompt)
    const text = sanitiseLine(((record && entryText(record)) ?? "").slice(0, LONGEST_LINE))
    yield `  ${style.id(ids.of(prompt))}  ${clip(text, Math.max(20, width - ids.width - 4))}`
  }
}

/** Longer text is cut before it is examined. */
const LONGEST_LINE = 2000

function* block(
  view: ConversationView,
  row: Row,
  record: LogRecord | undefined,
  who: string,
  lines: readonly string[],
  paint: Paint,
): Generator<string> {
  const when = record === undefined ? "" : ` · ${ago(record.at, view.now)}`
  const facts = `${view.ids.of(row)}${when}`
  const title = pad(who, (view.titleWidth ?? view.width) - widthOf(facts) - 2)
  yield `${paint(title)}  ${view.style.quiet(facts)}`
  yield* lines
  yield ""
}

function whoSays(view: ConversationView, row: Row, record: LogRecord): { who: string; paint: Paint } {
  const { history, style } = view
  if (record.type !== "message") return { who: otherTitle(record), paint: style.mark }
  if (history.isPrompt(row)) return { who: `@${history.round(row)} you`, paint: style.person }
  switch (record.role) {
    case "assistant":
    case "tool":
      return { who: "agent", paint: style.agent }
    case "system":
      return { who: "system", paint: style.mark }
    case "user":
      return { who: record.origin === "steer" ? "you, while it ran" : record.origin, paint: style.person }
    default:
      return unreachable(record.role)
  }
}

function otherTitle(record: LogRecord): string {
  if (record.type === "note") {
    const what = record.checkpoint === undefined ? "◇ summary of what was left behind" : "◇ note from its future self"
    return `${what}, discards ${count(record.discards, "message")}`
  }
  if (record.type === "compaction") return "◇ compaction: the model sees this, not what is above"
  if (record.type === "merge") return "◇ from another branch"
  return record.type === "unknown-entry" ? "◇ written by a newer version" : record.type
}

function* linesOf(view: ConversationView, record: LogRecord, results: Results): Generator<string> {
  if (!isEntry(record)) return
  switch (record.type) {
    case "message":
      yield* messageLines(view, record, results)
      return
    case "note":
    case "compaction":
    case "merge":
      yield* textLines(view, entryText(record) ?? "")
      if (record.type === "note") for (const fact of record.facts) yield* textLines(view, `- ${fact}`)
      return
    case "unknown-entry":
      // Another agent's settings and notes say nothing in a conversation.
      if (record.agent === undefined) yield view.style.quiet(`(${sanitiseLine(record.was)})`)
      return
    case "checkpoint":
    case "state":
      return
    default:
      unreachable(record)
  }
}
