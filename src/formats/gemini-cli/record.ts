// A message of a Gemini CLI session as a record, and why it was classified as it was.
import { entryId, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import { ORIGINS, ROLES } from "../../model/record/origin.ts"
import { KIND, type LogRecord, plainText, type Usage } from "../../model/record/record.ts"
import type { Reading } from "../port.ts"
import { isoTime, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { authorOf, displayOf, isLeftOut, partsOf, resultsOf } from "./message.ts"
import { titleIn } from "./titles.ts"

export function readRecord(row: Row, bytes: Buffer, reading: Reading): LogRecord | undefined {
  const { history } = reading
  const line = parseLine(bytes)
  if (line === undefined) return undefined
  const [id, kind] = [history.id(row), history.kind(row)]
  if (kind === KIND.operation) return moveOf(row, reading)
  // A resumed session repeats its messages with the time of the resume and without their usage, so use the first version.
  const first = parseLine(reading.original(row)) ?? line
  const at = isoTime(first.timestamp)
  if (kind === KIND.config) {
    const fields = objectField(line, "$set") ?? line
    return { id, type: "config", at: isoTime(fields.lastUpdated), key: "title", value: titleIn(fields) ?? null }
  }
  const base = { id: id as EntryId, at, parent: entryId(history, history.parent(row)) }
  if (kind === KIND.compaction) {
    const content = partsOf(line)
    const as = [{ role: "user" as const, content }]
    const summary = plainText(content)
    return { ...base, type: "compaction", summary, prompts: [], keepFrom: null, cause: "threshold", as }
  }
  if (kind !== KIND.message) {
    return { ...base, type: "unknown-entry", was: textField(line, "type") ?? "", agent: "gemini-cli" }
  }
  const [role, origin] = [ROLES[history.role(row)] ?? "user", ORIGINS[history.origin(row)] ?? "unknown"]
  const [display, model, usage] = [
    displayOf(line),
    textField(line, "model") ?? textField(first, "model"),
    usageOf(line),
  ]
  const spent = usage ?? usageOf(first)
  return {
    ...base,
    type: "message",
    role,
    origin,
    content: role === "tool" ? resultsOf(line) : partsOf(line),
    ...(isLeftOut(line) && { dropped: true as const }),
    ...(display !== undefined && { display }),
    ...(model !== undefined && role === "assistant" && { model }),
    ...(spent !== undefined && role === "assistant" && { usage: spent }),
  }
}

/** The file says where the move went, but not when. */
function moveOf(row: Row, { history }: Reading): LogRecord {
  const [from, to] = [history.parent(row), history.headAfter(row)]
  const left = history.record(from)
  return {
    id: history.id(row),
    type: "operation",
    at: left?.at ?? isoTime(undefined),
    kind: "goto",
    by: "person",
    head: { from: entryId(history, from), to: entryId(history, to) },
  }
}

/** Gemini includes cached tokens in the input, and counts thoughts separately from the output. */
function usageOf(message: JsonObject): Usage | undefined {
  const tokens = objectField(message, "tokens")
  if (tokens === undefined) return undefined
  const count = (field: string) => Math.max(0, numberField(tokens, field) ?? 0)
  const cached = count("cached")
  return {
    input: Math.max(0, count("input") - cached),
    output: count("output") + count("thoughts"),
    ...(cached > 0 && { cacheRead: cached }),
  }
}

export function why(_: Row, bytes: Buffer): string {
  const line = parseLine(bytes)
  if (line === undefined) return "it is not JSON"
  const step = ["$set", "$rewindTo"].find((key) => line[key] !== undefined)
  if (step === "$set") return `it has $set.${Object.keys(objectField(line, "$set") ?? {})[0] ?? ""}`
  return authorOf(line)?.why ?? (step === undefined ? `type is "${textField(line, "type") ?? ""}"` : `it has ${step}`)
}
