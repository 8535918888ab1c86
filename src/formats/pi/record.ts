// A line of a session of pi as a record, and why it is what it is.
import { entryId, type Row } from "../../history/tree/tree.ts"
import type { EntryId, RecordId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import { KIND } from "../../model/record/kind.ts"
import { type LogRecord, SYSTEM_KEY, type Usage } from "../../model/record/record.ts"
import type { Reading } from "../port.ts"
import { isoTime, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { originOf, partsOf, systemText } from "./message.ts"

export function readRecord(row: Row, bytes: Buffer, { history }: Reading): LogRecord | undefined {
  const line = parseLine(bytes)
  if (line === undefined) return undefined
  const at = isoTime(line.timestamp)
  const id = history.id(row)
  const kind = history.kind(row)
  if (kind === KIND.config) return { id, type: "config", at, key: "title", value: textField(line, "name") ?? null }
  if (kind === KIND.label) return labelOf(line, { id, at }, history)
  const base = { id: id as EntryId, at, parent: entryId(history, history.parent(row)) }
  if (kind === KIND.compaction) return compactionOf(line, base, history)
  const message = objectField(line, "message") ?? {}
  if (kind === KIND.state) return { ...base, type: "state", key: SYSTEM_KEY, value: systemText(message) }
  const said = originOf(line)
  if (said === undefined) return { ...base, type: "unknown-entry", was: textField(line, "type") ?? "", agent: "pi" }
  const [model, stop] = [textField(message, "model"), textField(message, "stopReason")]
  const usage = usageOf(message)
  return {
    ...base,
    type: "message",
    ...said,
    content: partsOf(line),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
    ...(stop !== undefined && { stop }),
  }
}

function labelOf(
  line: JsonObject,
  base: { id: RecordId; at: string },
  history: Reading["history"],
): LogRecord | undefined {
  const target = textField(line, "targetId")
  const entry = target !== undefined && /^[0-9a-f]{8}$/.test(target) ? history.endingWith(target).at(-1) : undefined
  if (entry === undefined) return undefined
  return { ...base, type: "label", entry: history.id(entry) as EntryId, name: textField(line, "label") ?? "" }
}

type Base = { id: EntryId; at: string; parent: EntryId | null }

function compactionOf(line: JsonObject, base: Base, history: Reading["history"]): LogRecord {
  const summary = textField(line, "summary") ?? ""
  const kept = textField(line, "firstKeptEntryId")
  const first = kept !== undefined && /^[0-9a-f]{8}$/.test(kept) ? history.endingWith(kept).at(-1) : undefined
  const text = `The conversation history before this point was compacted into the following summary:\n\n<summary>\n${summary}\n</summary>`
  return {
    ...base,
    type: "compaction",
    summary,
    prompts: [],
    keepFrom: first === undefined ? null : (history.id(first) as EntryId),
    cause: "threshold",
    as: [{ role: "user", content: [{ type: "text", text }] }],
  }
}

function usageOf(message: JsonObject): Usage | undefined {
  const usage = objectField(message, "usage")
  if (usage === undefined) return undefined
  const found: Usage = {}
  for (const field of ["input", "output", "cacheRead", "cacheWrite"] as const) {
    const value = numberField(usage, field)
    if (value !== undefined) found[field] = value
  }
  return found
}

/** The field that decided what a line is. */
export function why(bytes: Buffer): string {
  const line = parseLine(bytes)
  if (line === undefined) return "it is not JSON"
  const role = textField(objectField(line, "message"), "role")
  return role === undefined ? `type is "${textField(line, "type") ?? ""}"` : `message.role is "${role}"`
}
