// A line of a Qwen Code session as a record, and why it was classified as it was.
import { entryId, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import { KIND, type LogRecord, plainText, type Usage } from "../../model/record/record.ts"
import type { Reading } from "../port.ts"
import { partList, partOf } from "../shared/gemini-parts.ts"
import { isoTime, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { moveRecord } from "../shared/move-record.ts"
import { authorOf, compressedIn, displayOf, partsOf, titleIn } from "./message.ts"

export function readRecord(row: Row, bytes: Buffer, { history }: Reading): LogRecord | undefined {
  const line = parseLine(bytes)
  if (line === undefined) return undefined
  const [id, kind, at] = [history.id(row), history.kind(row), isoTime(line.timestamp)]
  if (kind === KIND.operation) return moveRecord(history, row, at)
  if (kind === KIND.config) return { id, type: "config", at, key: "title", value: titleIn(line) || null }
  const base = { id: id as EntryId, at, parent: entryId(history, history.parent(row)) }
  if (kind === KIND.compaction) return { ...base, ...compactionOf(line) }
  const said = authorOf(line)
  if (said === undefined) {
    const was = textField(line, "subtype") ?? textField(line, "type") ?? ""
    return { ...base, type: "unknown-entry", was, agent: "qwen-code" }
  }
  const { role, origin } = said
  const [display, model, usage] = [displayOf(line), textField(line, "model"), usageOf(line)]
  return {
    ...base,
    type: "message",
    role,
    origin,
    content: partsOf(line),
    ...(display !== undefined && { display }),
    ...(role === "assistant" && { answer: base.id }),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
  }
}

function compactionOf(line: JsonObject) {
  const as = (compressedIn(line) ?? []).map((message) => ({
    role: message.role === "model" ? ("assistant" as const) : ("user" as const),
    content: partList(message.parts).map(partOf),
  }))
  const manual = objectField(objectField(line, "systemPayload"), "info")?.triggerReason === "manual"
  return {
    type: "compaction" as const,
    summary: plainText(as[0]?.content ?? []),
    prompts: [],
    keepFrom: null,
    cause: manual ? ("person" as const) : ("threshold" as const),
    as,
  }
}

/** The cached tokens are part of the prompt's, and thoughts are not part of the candidates' in each protocol: the total is right. */
function usageOf(line: JsonObject): Usage | undefined {
  const usage = objectField(line, "usageMetadata")
  if (usage === undefined) return undefined
  const count = (field: string) => Math.max(0, numberField(usage, field) ?? 0)
  const [prompt, cached] = [count("promptTokenCount"), count("cachedContentTokenCount")]
  return {
    input: Math.max(0, prompt - cached),
    output: Math.max(count("candidatesTokenCount"), count("totalTokenCount") - prompt),
    ...(cached > 0 && { cacheRead: cached }),
  }
}

export function why(bytes: Buffer): string {
  const line = parseLine(bytes)
  if (line === undefined) return "it is not JSON"
  const said = compressedIn(line) === undefined ? authorOf(line)?.why : 'subtype is "chat_compression"'
  return said ?? `type is "${textField(line, "type") ?? ""}", subtype "${textField(line, "subtype") ?? ""}"`
}
