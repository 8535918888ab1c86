// A line of a pi session as a record, and why it was classified as it was.
import { entryId, type Row } from "../../history/tree/tree.ts"
import type { EntryId, RecordId } from "../../model/id.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import { KIND, type LogRecord, printPart } from "../../model/record/record.ts"
import { LEFT_OUT_KEY, SYSTEM_KEY } from "../../model/record/state-key.ts"
import type { Reading } from "../port.ts"
import { isoTime, objectField, parseLine, textField } from "../shared/json-line.ts"
import { moveRecord } from "../shared/move-record.ts"
import { retconMark } from "../shared/retcon-mark.ts"
import { usageIn } from "../shared/usage.ts"
import { endDigits } from "./entry-id.ts"
import { contentOf, originOf, partsOf, shellText } from "./message.ts"
import { systemAt } from "./prompt-sections.ts"

/** pi uses the same names as we do. */
export const COUNTS = { input: "input", output: "output", cacheRead: "cacheRead", cacheWrite: "cacheWrite" }

/** Of an answer that pi never sends again. */
const UNFINISHED: ReadonlySet<string | undefined> = new Set(["aborted", "error"])

export function readRecord(row: Row, bytes: Buffer, reading: Reading): LogRecord | undefined {
  const { history } = reading
  const line = parseLine(bytes)
  if (line === undefined) return undefined
  const at = isoTime(line.timestamp)
  const id = history.id(row)
  const kind = history.kind(row)
  if (kind === KIND.operation) return moveRecord(history, row, at)
  if (kind === KIND.config)
    return { id, type: "config", at, key: "title", value: textField(line, "name")?.trim() || null }
  if (kind === KIND.label) return labelOf(line, { id, at }, history)
  const base = { id: id as EntryId, at, parent: entryId(history, history.parent(row)) }
  if (kind === KIND.compaction) return compactionOf(line, base, history)
  const message = objectField(line, "message") ?? {}
  if (kind === KIND.state && line.type === "context_edit") return { ...base, type: "state", ...editOf(line, history) }
  if (kind === KIND.state) return { ...base, type: "state", key: SYSTEM_KEY, value: systemAt(row, bytes, reading) }
  const said = originOf(line)
  if (said === undefined) return { ...base, type: "unknown-entry", was: textField(line, "type") ?? "", agent: "pi" }
  const [model, stop] = [textField(message, "model"), textField(message, "stopReason")]
  const usage = usageIn(objectField(message, "usage"), COUNTS)
  return {
    ...base,
    type: "message",
    ...said,
    content: partsOf(line),
    ...displayOf(line, message),
    // The results of its calls are separate entries, but one message to the model.
    ...(said.role === "assistant" && { answer: base.id }),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
    ...(stop !== undefined && { stop }),
    ...(UNFINISHED.has(stop) && said.role === "assistant" && { dropped: true as const }),
  }
}

/** A command that is not for the model has no content. */
function displayOf(line: JsonObject, message: JsonObject): { display?: string } {
  if (message.excludeFromContext === true) return { display: shellText(message) }
  const { display } = retconMark(line)
  return display === undefined ? {} : { display }
}

function labelOf(
  line: JsonObject,
  base: { id: RecordId; at: string },
  history: Reading["history"],
): LogRecord | undefined {
  const entry = entryNamed(textField(line, "targetId"), history)
  return entry === undefined ? undefined : { ...base, type: "label", entry, name: textField(line, "label") ?? "" }
}

type Base = { id: EntryId; at: string; parent: EntryId | null }

/** The last entry with that id. */
function entryNamed(id: string | undefined, history: Reading["history"]): EntryId | undefined {
  const row = id === undefined ? undefined : history.endingWith(endDigits(id)).at(-1)
  return row === undefined ? undefined : (history.id(row) as EntryId)
}

function compactionOf(line: JsonObject, base: Base, history: Reading["history"]): LogRecord {
  const summary = textField(line, "summary") ?? ""
  const text = `The conversation history before this point was compacted into the following summary:\n\n<summary>\n${summary}\n</summary>`
  return {
    ...base,
    type: "compaction",
    summary,
    prompts: [],
    keepFrom: entryNamed(textField(line, "firstKeptEntryId"), history) ?? null,
    cause: "threshold",
    as: [{ role: "user", content: [{ type: "text", text }] }],
  }
}

/** An extension has replaced or removed what the model sees of an entry. */
function editOf(line: JsonObject, history: Reading["history"]): { key: string; value: Json } {
  const entry = entryNamed(textField(line, "targetId"), history) ?? ""
  const content = contentOf(objectField(line, "replacement")?.content).map(printPart)
  return { key: LEFT_OUT_KEY, value: { entry, content } }
}

/** The field that decided how a line was classified. */
export function why(bytes: Buffer): string {
  const line = parseLine(bytes)
  if (line === undefined) return "it is not JSON"
  const role = textField(objectField(line, "message"), "role")
  return role === undefined ? `type is "${textField(line, "type") ?? ""}"` : `message.role is "${role}"`
}
