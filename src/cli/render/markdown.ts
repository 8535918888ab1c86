// The path as a Markdown transcript, to read or to hand to somebody.
import { path } from "../../history/tree/path.ts"
import type { History, Row } from "../../history/tree/tree.ts"
import type { Part } from "../../model/record/part.ts"
import type { LogRecord, MessageRecord } from "../../model/record/record.ts"
import { inputWords, resultWords } from "../../model/record/tool-words.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import { titleOf } from "./heading.ts"
import { attachment, type Results, resultsAfter } from "./message-lines.ts"

export function* markdown(history: History, head: Row): Generator<string> {
  yield `# ${titleOf(history)}`
  yield ""
  const rows = path(history, head)
  let speaker = ""
  let results: Results = new Map()
  for (const [i, row] of rows.entries()) {
    const record = history.record(row)
    if (record === undefined) {
      yield* ["*An entry that cannot be read stands here.*", ""]
      continue
    }
    if (record.type === "message" && record.role === "assistant") results = resultsAfter(history, rows, i, record)
    const lines = [...linesOf(record, results)]
    if (lines.length === 0) continue
    const title = titleFor(history, row, record)
    if (title !== speaker || history.isPrompt(row)) yield* [`## ${title}`, ""]
    speaker = title
    yield* lines
    yield ""
  }
}

const LONGEST_NAME = 40

function titleFor(history: History, row: Row, record: LogRecord): string {
  if (history.isPrompt(row)) return `${history.round(row)}. You`
  if (record.type === "note") return `Note (discards ${count(record.discards, "message")})`
  if (record.type === "compaction") return "Compaction"
  if (record.type === "unknown-entry") return "Unknown"
  if (record.type !== "message") return "From another branch"
  if (record.role === "assistant" || record.role === "tool") return "Agent"
  return record.role === "system" ? "System" : `You (${record.origin})`
}

function* linesOf(record: LogRecord, results: Results): Generator<string> {
  if (record.type === "note" || record.type === "merge") yield* quoted(record.text)
  else if (record.type === "compaction") yield* quoted(record.summary)
  else if (record.type === "unknown-entry") yield `*(an entry of a newer retcon: ${escaped(sanitiseLine(record.was))})*`
  else if (record.type === "message") yield* messageLines(record, results)
}

function* messageLines(record: MessageRecord, results: Results): Generator<string> {
  if (record.display !== undefined) {
    yield sanitise(record.display).trim()
    return
  }
  for (const part of record.content) {
    if (part.type === "text" && part.text.trim() !== "") yield sanitise(part.text).trim()
    else if (part.type === "tool-call") {
      const input = inputWords(part.input)
      const call = code(`${sanitiseLine(part.name)}${input === "" ? "" : ` ${input}`}`)
      yield `- ${call} → ${escaped(resultWords(results.get(part.call)))}`
    } else if (part.type === "image" || part.type === "file") yield `*(${escaped(attachment(part))})*`
    else if (part.type === "tool-result" && !results.has(part.call)) {
      yield `- a result whose call is not here → ${escaped(resultWords(part))}`
    } else if (part.type === "unknown") yield `*(a part that retcon does not know: ${escaped(unknownName(part))})*`
  }
}

function unknownName({ raw }: Extract<Part, { type: "unknown" }>): string {
  return typeof raw.type === "string" ? sanitiseLine(raw.type).slice(0, LONGEST_NAME) : "it has no type"
}

function* quoted(text: string): Generator<string> {
  for (const line of sanitise(text).trim().split("\n")) yield `> ${line}`
}

/** A code span, also around backticks. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  if (longest === 0) return `\`${text}\``
  const fence = "`".repeat(longest + 1)
  return `${fence} ${text} ${fence}`
}

function escaped(text: string): string {
  return text.replace(/[\\`*_<>[\]]/g, "\\$&")
}
