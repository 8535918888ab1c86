// A line of a Neovate Code session as a record, and why it was classified as it was.
import { entryId, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import { KIND, type LogRecord, plainText } from "../../model/record/record.ts"
import type { Reading } from "../port.ts"
import { isoTime, objectField, parseLine, textField } from "../shared/json-line.ts"
import { moveRecord } from "../shared/move-record.ts"
import { usageIn } from "../shared/usage.ts"
import { titleIn } from "./header.ts"
import { authorOf, displayOf, isCompaction, partsOf } from "./message.ts"

export function readRecord(row: Row, bytes: Buffer, { history }: Reading): LogRecord | undefined {
  const line = parseLine(bytes)
  if (line === undefined) return undefined
  const [id, kind, at] = [history.id(row), history.kind(row), isoTime(line.timestamp)]
  if (kind === KIND.operation) return moveRecord(history, row, at)
  if (kind === KIND.config) return { id, type: "config", at, key: "title", value: titleIn(line) ?? null }
  const base = { id: id as EntryId, at, parent: entryId(history, history.parent(row)) }
  const content = partsOf(line)
  if (kind === KIND.compaction) {
    const summary = plainText(content)
    const as = [{ role: "user" as const, content }]
    return { ...base, type: "compaction", summary, prompts: [], keepFrom: null, cause: "threshold", as }
  }
  const said = authorOf(line)
  if (said === undefined)
    return { ...base, type: "unknown-entry", was: textField(line, "role") ?? "", agent: "neovate" }
  const { role, origin, turn } = said
  const [model, display, usage] = [
    textField(line, "model"),
    displayOf(line),
    usageIn(objectField(line, "usage"), COUNTS),
  ]
  return {
    ...base,
    type: "message",
    role,
    origin,
    ...(turn !== undefined && { turn }),
    content,
    ...(display !== undefined && role === "user" && { display }),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
  }
}

const COUNTS = {
  input: "input_tokens",
  output: "output_tokens",
  cacheRead: "cache_read_input_tokens",
  cacheWrite: "cache_creation_input_tokens",
} as const

export function why(bytes: Buffer): string {
  const line = parseLine(bytes)
  if (line === undefined) return "it is not JSON"
  if (isCompaction(line)) return "uiContent says that the chat history was compacted"
  return authorOf(line)?.why ?? `type is "${textField(line, "type") ?? ""}"`
}
