// The words on a line of the tree.
import type { GraphLine } from "../../src/history/graph/graph.ts"
import { NONE, type Row } from "../../src/history/tree/tree.ts"
import { entryText } from "../../src/model/record/entry-text.ts"
import type { LogRecord } from "../../src/model/record/record.ts"
import { inputWords } from "../../src/model/record/tool-words.ts"
import { count } from "../../src/model/text/amounts.ts"
import { sanitiseLine } from "../../src/model/text/sanitise.ts"

const LONGEST = 160

/** The entry whose body a line needs, or NONE. */
export function bodyOf(line: GraphLine): Row {
  if (line.type === "stretch") return line.stretch.named
  return line.type === "folded" ? line.branch.first : NONE
}

/** The entry to show or go to for a line. NONE: nowhere, or the empty conversation. */
export function placeOf(line: GraphLine): Row {
  if (line.type === "stretch") return line.stretch.last
  return line.type === "folded" ? line.branch.newest : NONE
}

export function lineWords(line: GraphLine, record: LogRecord | undefined): string {
  switch (line.type) {
    case "stretch":
      return (line.stretch.starts === "more" ? "… " : "") + (record === undefined ? "" : recordWords(record))
    case "folded":
      return `${record === undefined ? "A branch" : recordWords(record)} · ${count(line.branch.messages, "message")}`
    case "others":
      return `${count(line.branches, "more branch", "more branches")}, ${count(line.messages, "message")}`
    case "start":
      return "Start"
    case "rest":
      return count(line.entries, "earlier entry", "earlier entries")
    case "join":
      return ""
    default:
      return line satisfies never
  }
}

export function recordWords(record: LogRecord): string {
  const text = sanitiseLine((entryText(record) ?? "").slice(0, LONGEST * 2)).slice(0, LONGEST)
  if (text !== "" && !(record.type === "message" && record.role === "tool")) {
    if (record.type === "note") return `Went back: ${text}`
    return record.type === "compaction" ? `Compacted: ${text}` : text
  }
  if (record.type === "operation") return record.kind
  if (record.type === "unknown-entry" || record.type === "unknown") return sanitiseLine(record.was)
  if (record.type !== "message") return record.type
  const call = record.content.find((part) => part.type === "tool-call")
  if (call !== undefined) return `${sanitiseLine(call.name)}: ${inputWords(call.input).slice(0, LONGEST)}`
  return record.role === "tool" ? "results" : "(no text)"
}
