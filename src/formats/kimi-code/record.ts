// A line of a Kimi Code session as a record, and why it was classified as it was.
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import { KIND, type LogRecord, type MessageRecord, type Part } from "../../model/record/record.ts"
import { MODEL_KEY, SYSTEM_KEY } from "../../model/record/state-key.ts"
import type { Reading } from "../port.ts"
import { isoTime, listField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { callOf, contentOf, partOf, type ReadBlob, saysNothing } from "../shared/kimi-parts.ts"
import { moveRecord } from "../shared/move-record.ts"
import { compactionOf } from "./compaction.ts"
import { ANSWER, RESULT, saidOn, typedText } from "./origin.ts"
import { modelAt, stopOf, usageOf } from "./step-end.ts"
import { resultFields, resultOf } from "./tool-result.ts"

interface Base {
  id: EntryId
  at: string
  parent: EntryId | null
}

export function readRecord(row: Row, _: Buffer, reading: Reading, blob: ReadBlob): LogRecord | undefined {
  const { history } = reading
  const line = parseLine(reading.original(row))
  if (line === undefined) return undefined
  const at = isoTime(line.time)
  if (history.kind(row) === KIND.operation) return moveRecord(history, row, at)
  const base: Base = { id: history.id(row) as EntryId, at, parent: entryId(history, history.parent(row)) }
  switch (textField(line, "type") ?? "") {
    case "profile.bind":
    case "config.update":
      return typeof line.systemPrompt === "string"
        ? { ...base, type: "state", key: SYSTEM_KEY, value: line.systemPrompt }
        : { ...base, type: "state", key: MODEL_KEY, value: textField(line, "modelAlias") ?? null }
    case "context.apply_compaction":
      return compactionOf(row, line, base, reading, blob)
    case "context.append_message":
      return messageOf(line, base, blob)
    case "context.append_loop_event":
      return eventOf(row, objectField(line, "event") ?? {}, base, reading, blob)
    default:
      return undefined
  }
}

function messageOf(line: JsonObject, base: Base, blob: ReadBlob): LogRecord {
  const message = objectField(line, "message") ?? {}
  const said = saidOn(line)
  if (said === undefined)
    return { ...base, type: "unknown-entry", was: `role ${textField(message, "role") ?? ""}`, agent: "kimi-code" }
  const calls = listField(message, "toolCalls").map((call) => callOf(call))
  const content = said.role === "tool" ? toolContent(line, message, blob) : contentOf(message.content, blob)
  const display = typedText(
    line,
    content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  )
  return {
    ...base,
    type: "message",
    ...said,
    content: [...content, ...calls],
    ...(display !== undefined && { display }),
    // The results of several calls are separate messages, but one to the model.
    ...(calls.length > 0 && { answer: base.id }),
  }
}

function toolContent(line: JsonObject, message: JsonObject, blob: ReadBlob): Part[] {
  const fields = resultFields(message, "content", objectField(line, "retcon"))
  return [resultOf(textField(message, "toolCallId") ?? "", undefined, fields, blob)]
}

function eventOf(row: Row, event: JsonObject, base: Base, reading: Reading, blob: ReadBlob): MessageRecord {
  if (event.type === "tool.result") {
    const call = textField(event, "toolCallId") ?? ""
    const fields = resultFields(objectField(event, "result"), "output")
    const called = callAbove(row, call, reading)
    const answer = textField(called, "stepUuid")
    return {
      ...base,
      type: "message",
      ...RESULT,
      content: [resultOf(call, textField(called, "name"), fields, blob)],
      ...(answer !== undefined && { answer }),
    }
  }
  const end = objectField(parseLine(reading.read(row)), "event")
  const [usage, stop, model] = [usageOf(end), stopOf(end), modelAt(row, reading)]
  return {
    ...base,
    type: "message",
    ...ANSWER,
    content: piecesOf(event, blob),
    answer: textField(event, "stepUuid") ?? "",
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
    ...(stop !== undefined && { stop }),
  }
}

function piecesOf(event: JsonObject, blob: ReadBlob): Part[] {
  if (event.type === "tool.call") {
    const [call, name] = [textField(event, "toolCallId") ?? "", textField(event, "name") ?? ""]
    return [{ type: "tool-call", call, name, input: event.args ?? {} }]
  }
  const part = partOf(event.part, blob)
  return saysNothing(part) ? [] : [part]
}

/** No answer has more pieces between a call and its result. */
const MOST_PIECES = 256

/** The call that a result answers. */
function callAbove(row: Row, call: string, { history, original }: Reading): JsonObject | undefined {
  let at = history.parent(row)
  for (let pieces = 0; at !== NONE && pieces < MOST_PIECES; pieces++, at = history.parent(at)) {
    const event = objectField(parseLine(original(at)), "event")
    if (event === undefined) return undefined
    if (event.type === "tool.call" && event.toolCallId === call) return event
  }
  return undefined
}

/** The field that decided how a line was classified. */
export function why(bytes: Buffer): string {
  const line = parseLine(bytes)
  if (line === undefined) return "it is not JSON"
  const event = textField(objectField(line, "event"), "type")
  if (event !== undefined) return `event.type is "${event}"`
  const message = objectField(line, "message")
  if (line.type !== "context.append_message" || message === undefined)
    return `type is "${textField(line, "type") ?? ""}"`
  const origin = objectField(message, "origin")
  if (message.role !== "user" || origin === undefined) return `message.role is "${textField(message, "role") ?? ""}"`
  const more = [textField(origin, "name"), textField(origin, "trigger"), origin.inTurn === true ? "inTurn" : undefined]
  return [
    `message.origin.kind is "${textField(origin, "kind") ?? ""}"`,
    ...more.filter((text) => text !== undefined),
  ].join(", ")
}
