// One message of a conversation, part by part.
import { type History, path, type Row } from "../../history/tree/tree.ts"
import { DROPPED_WORDS } from "../../model/record/entry-text.ts"
import type { LogRecord, MessageRecord, Part, ToolCallPart, ToolResultPart } from "../../model/record/record.ts"
import { inputWords, resultWords, type ShowText } from "../../model/record/tool-words.ts"
import { bytes } from "../../model/text/amounts.ts"
import { clip, sanitise, sanitiseLine, widthOf, wrap } from "../../model/text/sanitise.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { Style } from "./style.ts"

export interface TextView {
  width: number
  /** Whether to break long lines, for a screen. */
  wraps: boolean
  style: Style
}

/** The results of the calls of the agent's last message, by call. */
export type Results = ReadonlyMap<string, ToolResultPart | undefined>

/** A call is shown with its result; a result is shown alone only if its call is missing. */
export function* messageLines(view: TextView, record: MessageRecord, results: Results): Generator<string> {
  if (record.display !== undefined) yield* textLines(view, record.display)
  else for (const part of record.content) yield* partLines(view, part, results)
  if (record.dropped === true) yield view.style.quiet(`  (${DROPPED_WORDS})`)
}

function* partLines(view: TextView, part: Part, results: Results): Generator<string> {
  const { style, width } = view
  switch (part.type) {
    case "text":
      if (part.text.trim() !== "") yield* textLines(view, part.text)
      return
    case "reasoning":
      if (part.text.trim() !== "") yield style.quiet(clip(`  (thinking) ${sanitiseLine(part.text)}`, width))
      return
    case "tool-call":
      yield toolLine(part, results.get(part.call), width, style)
      return
    case "tool-result":
      if (!results.has(part.call)) yield orphanLine(part, style)
      return
    case "image":
    case "file":
      yield style.quiet(`  (${attachment(part)})`)
      return
    case "unknown":
      yield style.quiet("  (a part that this version of retcon does not know)")
      return
    default:
      unreachable(part)
  }
}

type Attached = Extract<Part, { type: "image" | "file" }>

export function attachment(part: Attached, show: ShowText = (text) => text): string {
  const name = part.type === "file" && part.name !== undefined ? ` ${sanitiseLine(show(part.name))}` : ""
  return `${part.type}${name}, ${sanitiseLine(show(part.mediaType))}, ${bytes(Math.ceil((part.data.length * 3) / 4))}`
}

/** A session's text, safe to print, as lines. */
export function textLines(view: TextView, text: string): string[] {
  const clean = sanitise(text).replace(/^\n+|\s+$/g, "")
  return view.wraps ? wrap(clean, view.width) : clean.split("\n")
}

/**
 * The entries of a path, each with the results of the last calls before it. If one cannot be read, only its row.
 * `after`: only those that follow this one.
 */
export function* entriesOf(
  history: History,
  head: Row,
  after?: Row,
): Generator<{ row: Row; record: LogRecord | undefined; results: Results }> {
  const rows = path(history, head, after)
  let results: Results = new Map()
  for (const [i, row] of rows.entries()) {
    const record = history.record(row)
    if (record?.type === "message" && record.role === "assistant") results = resultsAfter(history, rows, i, record)
    yield { row, record, results }
  }
}

/** The calls of an agent's message, with the results that follow before someone speaks again. */
function resultsAfter(history: History, rows: readonly Row[], at: number, message: MessageRecord): Results {
  const results = new Map<string, ToolResultPart | undefined>()
  for (const part of message.content) if (part.type === "tool-call") results.set(part.call, undefined)
  for (let i = at + 1; results.size > 0 && i < rows.length; i++) {
    const record = history.record(rows[i] as Row)
    if (record?.type !== "message") continue
    if (record.role !== "tool") break
    for (const part of record.content) {
      if (part.type === "tool-result" && results.has(part.call)) results.set(part.call, part)
    }
  }
  return results
}

/** A tool call on one line: what was called, with what, and how much came back. */
function toolLine(call: ToolCallPart, result: ToolResultPart | undefined, width: number, style: Style): string {
  const name = sanitiseLine(call.name)
  const back = clip(resultWords(result), Math.floor(width / 2))
  const input = clip(inputWords(call.input), width - widthOf(name) - widthOf(back) - 8)
  const failed = result?.error === true
  return `  ▸ ${style.strong(name)}${input === "" ? "" : ` ${input}`} ${(failed ? style.bad : style.quiet)(`→ ${back}`)}`
}

/** A result whose call is not on the path. */
function orphanLine(result: ToolResultPart, style: Style): string {
  return style.quiet(`  ▸ result of an unknown call → ${resultWords(result)}`)
}
