// The path as a Markdown transcript, to read or to pass on.
import type { History, Row } from "../../history/tree/tree.ts"
import { titleOf } from "../../history/words/title.ts"
import type { LogRecord, MessageRecord, NoteRecord, Part } from "../../model/record/record.ts"
import { inputWords, resultWords, type ShowText } from "../../model/record/tool-words.ts"
import { count, LEFT_BY_BACKTRACK } from "../../model/text/amounts.ts"
import { sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import { attachment, entriesOf, type Results } from "./message-lines.ts"

/** Applied to texts before they are shown. Contract: returns as many as it gets; they may be pieces of one text. */
export type ShowTexts = (texts: readonly string[]) => string[]

interface Shown {
  /** Makes text safe to print first, then applies `texts`: colours in the middle of a secret must not hide it. */
  text: ShowText
  texts: ShowTexts
}

export function* markdown(history: History, head: Row, show: ShowTexts = (texts) => [...texts]): Generator<string> {
  const texts: ShowTexts = (all) => show(all.map(sanitise))
  const shown: Shown = { texts, text: (text) => texts([text]).join("") }
  yield `# ${titleOf(history, shown.text)}`
  yield ""
  let speaker = ""
  for (const { row, record, results } of entriesOf(history, head)) {
    if (record === undefined) {
      yield* ["*This entry cannot be read.*", ""]
      continue
    }
    const lines = [...linesOf(record, results, shown)]
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

function* linesOf(record: LogRecord, results: Results, shown: Shown): Generator<string> {
  if (record.type === "note") yield* noteLines(record, shown)
  else if (record.type === "merge") yield* quoted(shown.text(record.display ?? record.text))
  else if (record.type === "compaction") yield* quoted(shown.text(record.summary))
  else if (record.type === "unknown-entry" && record.agent === undefined)
    yield `*(an entry from a newer retcon: ${escaped(sanitiseLine(shown.text(record.was)))})*`
  else if (record.type === "message") yield* messageLines(record, results, shown)
}

/** What the person had said and the agent went back past stands in its note. */
function* noteLines({ text, prompts = [] }: NoteRecord, shown: Shown): Generator<string> {
  yield* quoted(shown.text(text))
  if (prompts.length > 0) yield* ["", `You had said (${LEFT_BY_BACKTRACK}):`]
  for (const prompt of prompts) yield* ["", ...quoted(shown.text(prompt))]
}

function* messageLines(record: MessageRecord, results: Results, shown: Shown): Generator<string> {
  if (record.display !== undefined) {
    yield shown.text(record.display).trim()
    return
  }
  // Together: what a model said in pieces may contain a secret that no single piece has.
  const texts = shown.texts(record.content.flatMap((part) => (part.type === "text" ? [part.text] : []))).values()
  for (const part of record.content) {
    if (part.type === "text") {
      const text = (texts.next().value ?? "").trim()
      if (text !== "") yield text
    } else if (part.type === "tool-call") {
      const input = inputWords(part.input, shown.text)
      const call = code(`${sanitiseLine(shown.text(part.name))}${input === "" ? "" : ` ${input}`}`)
      yield `- ${call} → ${escaped(resultWords(results.get(part.call), shown.text))}`
    } else if (part.type === "image" || part.type === "file") yield `*(${escaped(attachment(part, shown.text))})*`
    else if (part.type === "tool-result" && !results.has(part.call)) {
      yield `- a result whose call is missing → ${escaped(resultWords(part, shown.text))}`
    } else if (part.type === "unknown") {
      yield `*(an unknown part: ${escaped(unknownName(part, shown.text))})*`
    }
  }
}

function unknownName({ raw }: Extract<Part, { type: "unknown" }>, show: ShowText): string {
  return typeof raw.type === "string" ? sanitiseLine(show(raw.type)).slice(0, LONGEST_NAME) : "it has no type"
}

function* quoted(text: string): Generator<string> {
  for (const line of text.trim().split("\n")) yield `> ${line}`
}

/** A code span, even around backticks. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  if (longest === 0) return `\`${text}\``
  const fence = "`".repeat(longest + 1)
  return `${fence} ${text} ${fence}`
}

function escaped(text: string): string {
  return text.replace(/[\\`*_<>[\]]/g, "\\$&")
}
