// A line of a Kimi CLI session as a record, and why it was classified as it was.
import { entryId, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import { ORIGINS } from "../../model/record/origin.ts"
import { type CompactionRecord, KIND, type LogRecord, type Part, type Usage } from "../../model/record/record.ts"
import { SYSTEM_KEY } from "../../model/record/state-key.ts"
import type { Reading } from "../port.ts"
import { isoTime, listField, numberField, parseLine, textField } from "../shared/json-line.ts"
import { callOf, contentOf } from "../shared/kimi-parts.ts"
import { moveRecord } from "../shared/move-record.ts"
import { isEntryOf, tailBefore } from "./derived-id.ts"
import { programAuthor } from "./origin.ts"
import { textsOf } from "./texts.ts"

/** What the lines around a row, and the wire log, say about it. */
export interface WireFacts {
  timeOf(row: Row): number | undefined
  typedAs(row: Row): string | undefined
  usageOf(row: Row): Usage | undefined
}

const NO_BLOB = () => undefined

export function readRecord(row: Row, reading: Reading, wire: WireFacts, began: string): LogRecord | undefined {
  const { history } = reading
  const line = parseLine(reading.original(row))
  if (line === undefined) return undefined
  const ms = wire.timeOf(row)
  const at = ms === undefined ? began : isoTime(ms)
  // What continues from there tells a D-Mail, by which the agent goes back, from what the person did.
  if (history.kind(row) === KIND.operation)
    return moveRecord(history, row, at, programAuthor(line)?.origin === "note" ? "agent" : "person")
  const base = { id: history.id(row) as EntryId, at, parent: entryId(history, history.parent(row)) }
  switch (history.kind(row)) {
    case KIND.state:
      return { ...base, type: "state", key: SYSTEM_KEY, value: textField(line, "content") ?? "" }
    case KIND.checkpoint:
      return { ...base, type: "checkpoint", n: numberField(line, "id") ?? 0 }
    case KIND.compaction:
      return { ...base, ...compactionOf(row, line, reading) }
    case KIND.message:
      return messageOf(row, line, base, reading, wire)
    default:
      return { ...base, type: "unknown-entry", was: textField(line, "role") ?? "", agent: "kimi-cli" }
  }
}

function messageOf(
  row: Row,
  line: JsonObject,
  base: { id: EntryId; at: string; parent: EntryId | null },
  { history }: Reading,
  wire: WireFacts,
): LogRecord {
  const origin = ORIGINS[history.origin(row)] ?? "unknown"
  const calls = listField(line, "tool_calls").map((call) => callOf(call))
  const role = line.role === "assistant" || line.role === "tool" ? line.role : "user"
  const content = role === "tool" ? [resultOf(line)] : [...contentOf(line.content, NO_BLOB), ...calls]
  const command = origin === "command" ? wire.typedAs(row) : undefined
  const usage = role === "assistant" ? wire.usageOf(row) : undefined
  return {
    ...base,
    type: "message",
    role,
    origin,
    content,
    ...(command !== undefined && { display: command, turn: true }),
    ...(usage !== undefined && { usage }),
    // The results of several calls are on several lines, but one message to the model.
    ...(calls.length > 0 && { answer: base.id }),
  }
}

function resultOf(line: JsonObject): Part {
  const parts = contentOf(line.content, NO_BLOB)
  const output = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  const media = parts.filter(({ type }) => type !== "text")
  const call = textField(line, "tool_call_id") ?? ""
  return { type: "tool-result", call, output, ...(media.length > 0 && { media }) }
}

/** Its bytes are now those of the first message that it kept, if any. */
function compactionOf(
  row: Row,
  line: JsonObject,
  { history, read, original }: Reading,
): Omit<CompactionRecord, "id" | "at" | "parent"> {
  const body = read(row)
  const isAmended = !body.equals(original(row))
  const kept = isAmended ? tailBefore(history, row).findLast((each) => isEntryOf(history, each, body)) : undefined
  return {
    type: "compaction",
    summary: textsOf(line.content).slice(1).join("\n"),
    prompts: [],
    keepFrom: kept === undefined ? null : (history.id(kept) as EntryId),
    cause: "threshold",
    as: [{ role: "user", content: contentOf(line.content, NO_BLOB) }],
  }
}

export function why(row: Row, bytes: Buffer, wire: WireFacts): string {
  const line = parseLine(bytes)
  if (line === undefined) return "it is not JSON"
  const said = line.role === "user" ? programAuthor(line) : undefined
  if (said !== undefined) return said.why
  if (line.role !== "user") return `role is "${textField(line, "role") ?? ""}"`
  return wire.typedAs(row) === undefined ? "wire.jsonl has no input like it" : "wire.jsonl has it as typed"
}
