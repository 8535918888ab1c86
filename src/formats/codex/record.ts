// A line of a rollout as a record, and why it was classified as it was.
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import { ORIGINS, ROLES } from "../../model/record/origin.ts"
import { KIND, type LogRecord, type MessageRecord } from "../../model/record/record.ts"
import { SYSTEM_KEY } from "../../model/record/state-key.ts"
import type { Reading } from "../port.ts"
import { isoTime, objectField, parseLine, textField } from "../shared/json-line.ts"
import { moveRecord } from "../shared/move-record.ts"
import { retconMark, withError } from "../shared/retcon-mark.ts"
import { compactionOf } from "./compaction.ts"
import { displayOf } from "./display.ts"
import { partsOf } from "./item.ts"
import { whyOf } from "./origin.ts"
import { usageIn } from "./token-count.ts"

/** The key of the states that record which model Codex continues with. */
const MODEL_STATE = "codex/model"

export function readRecord(row: Row, bytes: Buffer, reading: Reading): LogRecord | undefined {
  const { history } = reading
  const last = parseLine(bytes)
  // An answer is followed by its usage.
  const counted = objectField(last, "payload")?.type === "token_count"
  const line = counted ? parseLine(reading.original(row)) : last
  const payload = objectField(line, "payload")
  if (line === undefined || payload === undefined) return undefined
  const at = isoTime(line.timestamp)
  const kind = history.kind(row)
  if (kind === KIND.operation) return moveRecord(history, row, at)
  if (kind === KIND.config) {
    return { id: history.id(row), type: "config", at, key: "title", value: textField(payload, "thread_name") ?? null }
  }
  const base = { id: history.id(row) as EntryId, at, parent: entryId(history, history.parent(row)) }
  if (kind === KIND.compaction) return { ...base, ...compactionOf(row, line, reading) }
  if (kind === KIND.state) return { ...base, type: "state", ...stateOf(line, payload) }
  if (kind !== KIND.message) return { ...base, type: "unknown-entry", was: wasOf(line, payload), agent: "codex" }
  const role = ROLES[history.role(row)] ?? "user"
  const mark = retconMark(line)
  const display = mark.display ?? displayOf(payload)
  return {
    ...base,
    type: "message",
    role,
    origin: ORIGINS[history.origin(row)] ?? "unknown",
    ...(mark.turn === true && { turn: true }),
    content: withError(partsOf(payload), line),
    ...(display !== undefined && { display }),
    ...(role === "assistant" && answerOf(row, reading)),
    ...(counted && { usage: usageIn(objectField(last, "payload")) ?? {} }),
    // We have no such role.
    ...(payload.role === "developer" && { meta: { by: "codex", data: { role: "developer" } } }),
  }
}

function wasOf(line: JsonObject, payload: JsonObject): string {
  const type = textField(line, "type") ?? ""
  return type === "response_item" ? (textField(payload, "type") ?? type) : type
}

function stateOf(line: JsonObject, payload: JsonObject): { key: string; value: string } {
  if (line.type === "turn_context") return { key: MODEL_STATE, value: textField(payload, "model") ?? "" }
  const text = textField(objectField(payload, "base_instructions"), "text") ?? textField(payload, "instructions")
  return { key: SYSTEM_KEY, value: text ?? "" }
}

/** No answer has more pieces than this. */
const MOST_PIECES = 256

/** Codex writes each part of an answer on a separate line. Consecutive ones are one answer. */
function answerOf(row: Row, reading: Reading): Pick<MessageRecord, "answer" | "model"> {
  const { history } = reading
  let first = row
  for (let pieces = 1; pieces < MOST_PIECES; pieces++) {
    const above = history.parent(first)
    if (above === NONE || history.kind(above) !== KIND.message || ROLES[history.role(above)] !== "assistant") break
    first = above
  }
  const model = modelAt(row, reading)
  return { answer: history.id(first), ...(model !== undefined && { model }) }
}

function modelAt(row: Row, reading: Reading): string | undefined {
  const { history } = reading
  for (let state = history.state(row); state !== NONE; state = history.state(history.parent(state))) {
    const line = parseLine(reading.read(state))
    if (line?.type === "turn_context") return textField(objectField(line, "payload"), "model")
  }
  return undefined
}

/** The field that decided how a line was classified. */
export function why(bytes: Buffer): string {
  const line = parseLine(bytes)
  const payload = objectField(line, "payload")
  if (line === undefined || payload === undefined) return "it is not JSON, or has no payload"
  if (payload.type === "token_count") return "a count of tokens: what the answer before it took"
  return line.type === "response_item" ? whyOf(payload) : `type is "${textField(line, "type") ?? ""}"`
}
