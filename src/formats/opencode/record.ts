// A step of an opencode message as a record, and why it was classified as it was.
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import { KIND, type LogRecord, plainText, type Usage } from "../../model/record/record.ts"
import { textOf } from "../ids.ts"
import type { Reading } from "../port.ts"
import { isoTime, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { type AnswerStep, partsIn, stepsOf } from "./answer-steps.ts"
import { answerParts, displayOf, resultParts, userParts } from "./message.ts"
import { stepWords } from "./scanner.ts"

type Base = { id: EntryId; at: string; parent: EntryId | null }

export function readRecord(task: boolean): (row: Row, bytes: Buffer, reading: Reading) => LogRecord | undefined {
  return (row, bytes, reading) => {
    const { history } = reading
    const line = parseLine(bytes)
    const info = objectField(line, "info")
    if (line === undefined || info === undefined) return undefined
    const id = history.id(row)
    const at = isoTime(objectField(info, "time")?.created)
    if (history.kind(row) === KIND.config) {
      return { id, type: "config", at, key: "title", value: textField(info, "title") ?? null }
    }
    const step = stepsOf(line, task).find(({ key }) => textOf(stepWords(info, key)) === id)
    if (step === undefined) return undefined
    const base = { id: id as EntryId, at, parent: entryId(history, history.parent(row)) }
    if (step.kind === "compaction") return compactionOf(step, base, row, reading)
    if (step.kind === "other") {
      return { ...base, type: "unknown-entry", was: textField(info, "role") ?? "", agent: "opencode" }
    }
    return messageOf(step, info, base)
  }
}

function messageOf({ role, origin, parts }: AnswerStep, info: JsonObject, base: Base): LogRecord {
  const said = { ...base, type: "message" as const, role, origin }
  if (role === "tool") return { ...said, content: resultParts(parts) }
  const model = modelOf(info)
  if (role === "user") {
    const display = displayOf(parts)
    const turn = origin === "command" && { turn: true }
    return { ...said, ...turn, content: userParts(parts), ...(display !== undefined && { display }) }
  }
  const [usage, stop] = [usageOf(info), textField(info, "finish")]
  return {
    ...said,
    content: answerParts(parts),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
    ...(stop !== undefined && { stop }),
  }
}

/** opencode's request for a summary, in the user's name. */
const QUESTION = "What did we do so far?"

/** The row above is the request, which may name the first message that is kept after the summary. */
function compactionOf(step: AnswerStep, base: Base, row: Row, reading: Reading): LogRecord {
  const { history } = reading
  const content = answerParts(step.parts)
  const asked = history.parent(row)
  const line = asked === NONE ? undefined : parseLine(reading.read(asked))
  const part = line === undefined ? undefined : partsIn(line).find(({ type }) => type === "compaction")
  return {
    ...base,
    type: "compaction",
    summary: plainText(content),
    prompts: [],
    keepFrom: keptFrom(textField(part, "tail_start_id"), asked, reading),
    cause: part?.auto === true ? "threshold" : "person",
    as: [
      { role: "user", content: [{ type: "text", text: QUESTION }] },
      { role: "assistant", content },
    ],
  }
}

/** Walks up, because the tail is short. */
function keptFrom(name: string | undefined, last: Row, { history, read }: Reading): EntryId | null {
  if (name === undefined) return null
  let found: EntryId | null = null
  for (let row = last; row !== NONE; row = history.parent(row)) {
    const is = textField(objectField(parseLine(read(row)), "info"), "id")
    if (is === name) found = history.id(row) as EntryId
    else if (found !== null) return found
  }
  return found
}

function modelOf(info: JsonObject): string | undefined {
  const [provider, model] = [textField(info, "providerID"), textField(info, "modelID")]
  return provider === undefined || model === undefined ? undefined : `${provider}/${model}`
}

function usageOf(info: JsonObject): Usage | undefined {
  const tokens = objectField(info, "tokens")
  if (tokens === undefined) return undefined
  const cache = objectField(tokens, "cache")
  const count = (value: number | undefined) => Math.max(0, value ?? 0)
  return {
    input: count(numberField(tokens, "input")),
    output: count(numberField(tokens, "output")) + count(numberField(tokens, "reasoning")),
    cacheRead: count(numberField(cache, "read")),
    cacheWrite: count(numberField(cache, "write")),
  }
}

export function why(task: boolean): (row: Row, bytes: Buffer) => string {
  return (_, bytes) => {
    const line = parseLine(bytes)
    if (line === undefined) return "it is not JSON"
    if (
      textField(objectField(line, "info"), "role") === undefined &&
      textField(objectField(line, "info"), "title") !== undefined
    )
      return "the session itself, which has a title"
    return stepsOf(line, task)[0]?.why ?? ""
  }
}
