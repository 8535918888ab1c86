// A line of a Klaude Code session as a record, and why it was classified as it was.
import { entryId, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import { KIND, type LogRecord, type Part, type Usage } from "../../model/record/record.ts"
import { SYSTEM_KEY } from "../../model/record/state-key.ts"
import type { Reading } from "../port.ts"
import { isoTime, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { moveRecord } from "../shared/move-record.ts"
import { keptFrom } from "./kept-tail.ts"
import { authorOf, textOf } from "./origin.ts"
import { contentOf, resultOf } from "./parts.ts"

export function readRecord(row: Row, bytes: Buffer, reading: Reading, isTask: boolean): LogRecord | undefined {
  const { history } = reading
  const line = parseLine(bytes)
  if (line === undefined) return undefined
  const data = objectField(line, "data") ?? {}
  // Times have no zone; they are those of the machine that wrote them, presumably this one.
  const at = isoTime(data.created_at)
  if (history.kind(row) === KIND.operation) return moveRecord(history, row, at, isRewind(line) ? "agent" : "person")
  const base = { id: history.id(row) as EntryId, at, parent: entryId(history, history.parent(row)) }
  if (history.kind(row) === KIND.state) return { ...base, type: "state", key: SYSTEM_KEY, value: textOf(data) }
  if (history.kind(row) === KIND.compaction) {
    const summary = textField(data, "summary") ?? ""
    const content: Part[] = [{ type: "text", text: summary }]
    const keepFrom = keptFrom(row, data, reading)
    const as = [{ role: "user" as const, content }]
    return { ...base, type: "compaction", summary, prompts: [], keepFrom, cause: "threshold", as }
  }
  const said = history.kind(row) === KIND.message ? authorOf(line, isTask) : undefined
  if (said === undefined) {
    return { ...base, type: "unknown-entry", was: textField(line, "type") ?? "", agent: "klaude-code" }
  }
  const [usage, stop] = [usageOf(data), textField(data, "stop_reason")]
  const content = bodyOf(line, data)
  return {
    ...base,
    type: "message",
    role: said.role,
    origin: said.origin,
    content,
    ...(usage !== undefined && { usage }),
    ...(stop !== undefined && { stop }),
    // The results of several calls are on several lines, but one message to the model.
    ...(content.some(({ type }) => type === "tool-call") && { answer: base.id }),
  }
}

/** The agent went back by itself, under either name that versions have had. */
function isRewind(line: JsonObject): boolean {
  return line.type === "RewindEntry" || line.type === "BacktrackEntry"
}

function bodyOf(line: JsonObject, data: JsonObject): Part[] {
  if (line.type === "ToolResultMessage") return [resultOf(data)]
  if (!isRewind(line)) return contentOf(data)
  const [rationale = "", note = ""] = [textField(data, "rationale"), textField(data, "note")]
  const why = rationale === "" ? "" : ` Rationale: ${rationale}.`
  const text = `<system-reminder>After this, some operations were performed and context was refined via Rewind.${why} Summary: ${note}. Please continue.</system-reminder>`
  return [{ type: "text", text }]
}

function usageOf(data: JsonObject): Usage | undefined {
  const usage = objectField(data, "usage")
  const [input, output] = [numberField(usage, "input_tokens"), numberField(usage, "output_tokens")]
  const cacheRead = numberField(usage, "cached_tokens")
  if (input === undefined && output === undefined) return undefined
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cacheRead !== undefined && { cacheRead }),
  }
}

export function why(bytes: Buffer, isTask: boolean): string {
  const line = parseLine(bytes)
  if (line === undefined) return "it is not JSON"
  return authorOf(line, isTask)?.why ?? `type is "${textField(line, "type") ?? ""}"`
}
