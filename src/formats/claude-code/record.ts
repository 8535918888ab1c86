// A line of a Claude Code session as a record, and why it was classified as it was.
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import { isObject, type JsonObject } from "../../model/json.ts"
import { ORIGINS, ROLES } from "../../model/record/origin.ts"
import { KIND, type LogRecord, type MessageRecord, type Part, plainText } from "../../model/record/record.ts"
import { textOf } from "../ids.ts"
import type { Reading } from "../port.ts"
import { partsOf } from "../shared/anthropic-parts.ts"
import { isoTime, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { moveRecord } from "../shared/move-record.ts"
import { retconMark } from "../shared/retcon-mark.ts"
import { usageIn } from "../shared/usage.ts"
import { attachedParts, saysNothing } from "./attachment.ts"
import { CHAIN_TYPES, classify } from "./classify.ts"
import { displayOf } from "./display.ts"
import { wordsOf } from "./line-facts.ts"
import { answerUsage } from "./resuming.ts"
import { firstKeptUuid } from "./scanner.ts"
import { titleIn } from "./titles.ts"

export function readRecord(row: Row, bytes: Buffer, reading: Reading): LogRecord | undefined {
  const line = parseLine(bytes)
  if (line === undefined) return undefined
  const { history } = reading
  const kind = history.kind(row)
  if (kind === KIND.config) return titleOf(row, line, reading)
  if (kind === KIND.operation) return moveRecord(history, row, timeBefore(row, reading))
  const [uuid, id] = [textField(line, "uuid"), history.id(row) as EntryId]
  if (uuid === undefined || (uuid !== id && textOf(wordsOf(uuid)) !== id)) return undefined
  const base = { id, at: isoTime(line.timestamp), parent: entryId(history, history.parent(row)) }
  const said = classify(line)
  if (kind === KIND.unknownEntry)
    return {
      ...base,
      type: "unknown-entry",
      was: nameOf(line),
      agent: "claude-code",
      ...(isOwn(line) && { own: true }),
    }
  if (kind === KIND.compaction) return said.kind === "compaction" ? compactionOf(line, base, row, reading) : undefined
  return said.kind === "message" ? messageOf(line, base, row, reading) : undefined
}

type Base = { id: EntryId; at: string; parent: EntryId | null }

function messageOf(line: JsonObject, base: Base, row: Row, reading: Reading): LogRecord | undefined {
  const { history } = reading
  const [role, origin] = [ROLES[history.role(row)], ORIGINS[history.origin(row)]]
  if (role === undefined || origin === undefined) return undefined
  const message = objectField(line, "message")
  const answer = role === "assistant" ? textField(message, "id") : undefined
  const content = contentOf(line)
  const display = retconMark(line).display ?? (role === "user" ? displayOf(content, origin) : undefined)
  const usage = role === "assistant" ? usageIn(answerUsage(reading, row, message), COUNTS) : undefined
  const [model, stop] = [textField(message, "model"), textField(message, "stop_reason")]
  // Field by field: a context has thousands of these, and spreading would take longer than everything else.
  const record: MessageRecord = {
    id: base.id,
    at: base.at,
    parent: base.parent,
    type: "message",
    role,
    origin,
    content,
  }
  if (origin === "command" && history.isPrompt(row)) record.turn = true
  if (display !== undefined) record.display = display
  if (model !== undefined) record.model = model
  if (usage !== undefined) record.usage = usage
  if (stop !== undefined) record.stop = stop
  if (answer !== undefined) record.answer = answer
  return record
}

function contentOf(line: JsonObject): Part[] {
  if (line.type === "attachment") return attachedParts(line)
  if (line.type === "system") return partsOf(line.content)
  const parts = partsOf(objectField(line, "message")?.content)
  return objectField(line, "retcon")?.wrapped === true ? parts.map(unwrapped) : parts
}

/** Unwraps the input of a call that we wrote, if it was not an object. */
function unwrapped(part: Part): Part {
  return part.type === "tool-call" && isObject(part.input) ? { ...part, input: part.input.input ?? null } : part
}

function compactionOf(line: JsonObject, base: Base, row: Row, reading: Reading): LogRecord {
  const { history } = reading
  const content = partsOf(objectField(line, "message")?.content)
  const above = history.parent(row)
  const boundary = above === NONE ? undefined : parseLine(reading.read(above))
  const metadata = boundary?.subtype === "compact_boundary" ? objectField(boundary, "compactMetadata") : undefined
  const uuid = firstKeptUuid(metadata)
  const first = uuid === undefined ? NONE : history.rowOf(textOf(wordsOf(uuid)))
  const [before, after] = [numberField(metadata, "preTokens"), numberField(metadata, "postTokens")]
  return {
    ...base,
    type: "compaction",
    summary: textField(objectField(line, "retcon"), "summary") ?? plainText(content),
    prompts: [],
    keepFrom: first === NONE ? null : (history.id(first) as EntryId),
    ...(before !== undefined && after !== undefined && { tokens: { before, after } }),
    cause: metadata?.trigger === "manual" ? "person" : "threshold",
    as: [{ role: "user", content }],
  }
}

function titleOf(row: Row, line: JsonObject, reading: Reading): LogRecord {
  const at = timeBefore(row, reading)
  return { id: reading.history.id(row), type: "config", at, key: "title", value: titleIn(line)?.text ?? null }
}

/** A line without a time was written right after the last one that has one. */
function timeBefore(row: Row, reading: Reading): string {
  for (let before = row - 1; before >= 0 && before > row - 8; before--) {
    const time = textField(parseLine(reading.read(before)), "timestamp")
    if (time !== undefined) return isoTime(time)
  }
  return isoTime(0)
}

export const COUNTS = {
  input: "input_tokens",
  output: "output_tokens",
  cacheRead: "cache_read_input_tokens",
  cacheWrite: "cache_creation_input_tokens",
}

/** Such as `attachment/skill_listing` or `system/turn_duration`. */
function nameOf(line: JsonObject): string {
  const more = textField(objectField(line, "attachment"), "type") ?? textField(line, "subtype")
  return [textField(line, "type") ?? "", ...(more === undefined ? [] : [more])].join("/")
}

/** Its bookkeeping, and what it tells its model about itself. A line of the tree that retcon does not know is not. */
function isOwn(line: JsonObject): boolean {
  return line.type === "attachment" ? saysNothing(line) : CHAIN_TYPES.has(textField(line, "type") ?? "")
}

/** The field or the text that decided how a line was classified. */
export function why(bytes: Buffer): string {
  const line = parseLine(bytes)
  return line === undefined ? "it is not JSON" : classify(line).why
}
