// An entry as a few lines: who said it and when, then its words.
import { entryText, unknownEntryWords } from "../../../model/record/entry-text.ts"
import { type LogRecord, type MessageRecord, plainText } from "../../../model/record/record.ts"
import { inputWords, resultWords } from "../../../model/record/tool-words.ts"
import { ago, count } from "../../../model/text/amounts.ts"
import { wrap } from "../../../model/text/sanitise.ts"
import type { Theme } from "../../terminal/theme.ts"
import { type LinePiece, makeLine, piece, safe } from "../../text/line.ts"

/** No screen shows more; longer text is cut before it is broken into lines. */
const LONGEST = 8_000

/** At most `height` lines; the last one says if there is more. */
export function previewLines(
  theme: Theme,
  record: LogRecord | undefined,
  now: number,
  width: number,
  height: number,
): string[] {
  if (height <= 0 || width <= 0) return []
  if (record === undefined) return [makeLine([piece("This entry cannot be read.", theme.warning)], width)]
  const top = makeLine([piece(speaker(record), theme.strong), piece(`  ${ago(record.at, now)}`, theme.quiet)], width)
  const lines: LinePiece[][] = []
  for (const { text, quiet } of words(record)) {
    for (const line of text.slice(0, LONGEST).split("\n")) {
      if (lines.length > height) break
      for (const part of wrap(safe(line), width)) lines.push([quiet ? piece(part, theme.quiet) : part])
    }
  }
  const room = height - 1
  const shown = lines.length > room ? [...lines.slice(0, Math.max(0, room - 1)), [piece("…", theme.quiet)]] : lines
  return [top, ...shown.map((line) => makeLine(line, width))].slice(0, height)
}

function speaker(record: LogRecord): string {
  if (record.type === "message") {
    if (record.role === "user") return record.origin === "prompt" ? "you" : record.origin
    return record.role === "assistant" ? "agent" : record.role
  }
  if (record.type === "note")
    return `${record.checkpoint === undefined ? "summary" : "note"}, discards ${record.discards}`
  if (record.type === "checkpoint") return `checkpoint ${record.n}`
  if (record.type === "state") return `state ${record.key}`
  return record.type === "unknown-entry" ? unknownEntryWords(record) : record.type
}

interface Words {
  text: string
  quiet: boolean
}

function* words(record: LogRecord): Generator<Words> {
  if (record.type === "message") yield* messageWords(record)
  else if (record.type === "state") yield { text: JSON.stringify(record.value), quiet: true }
  else yield { text: entryText(record) ?? "", quiet: false }
  if (record.type === "note") for (const fact of record.facts) yield { text: fact, quiet: true }
}

function* messageWords(record: MessageRecord): Generator<Words> {
  const text = (record.display ?? plainText(record.content)).trim()
  if (text !== "") yield { text, quiet: false }
  let media = 0
  for (const part of record.content) {
    if (part.type === "tool-call") yield { text: `▸ ${part.name} ${inputWords(part.input)}`, quiet: false }
    else if (part.type === "tool-result") {
      yield { text: `→ ${resultWords(part)}`, quiet: true }
      if (part.output.includes("\n")) yield { text: part.output, quiet: true }
    } else if (part.type === "image" || part.type === "file") media++
    else if (part.type === "reasoning" && text === "") yield { text: part.text, quiet: true }
  }
  if (media > 0) yield { text: `(${count(media, "attachment")})`, quiet: true }
}
