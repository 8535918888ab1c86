// What the model gets for a compaction of Kimi Code: the person's earlier messages, the summary, and a request to continue.
import { NONE, path, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import { ORIGINS, ROLES } from "../../model/record/origin.ts"
import { type CompactionRecord, KIND, type Part, plainText } from "../../model/record/record.ts"
import type { Reading } from "../port.ts"
import { numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { contentOf, type ReadBlob } from "../shared/kimi-parts.ts"
import { keptOf } from "./kept-prompts.ts"

const GO_ON = `<system-reminder>
Context compaction is complete — continue the work that was in progress when it began.
</system-reminder>`

type Base = { id: EntryId; at: string; parent: EntryId | null }

export function compactionOf(
  row: Row,
  line: JsonObject,
  base: Base,
  reading: Reading,
  blob: ReadBlob,
): CompactionRecord {
  const summary = textField(line, "contextSummary") ?? summaryIn(line)
  const [before, after] = [numberField(line, "tokensBefore"), numberField(line, "tokensAfter")]
  const shape = isOfOldShape(line) ? oldShape(row, line, summary, reading) : newShape(row, summary, reading, blob)
  return {
    ...base,
    type: "compaction",
    summary: summaryIn(line),
    prompts: [],
    ...shape,
    ...(before !== undefined && after !== undefined && { tokens: { before, after } }),
    cause: "threshold",
  }
}

function summaryIn(line: JsonObject): string {
  const message = objectField(line, "summary")
  if (message !== undefined) return plainText(contentOf(message.content, () => undefined))
  return textField(line, "summary") ?? textField(line, "contextSummary") ?? ""
}

type Shape = Pick<CompactionRecord, "as" | "keepFrom">

/** Before 1.5, the summary came first and the last messages were kept whole. */
function isOfOldShape(line: JsonObject): boolean {
  return typeof line.legacyTail === "boolean" ? line.legacyTail : typeof line.keptUserMessageCount !== "number"
}

function oldShape(row: Row, line: JsonObject, summary: string, reading: Reading): Shape {
  const kept = messagesBefore(row, reading)[countIn(line)]
  const keepFrom = kept === undefined || kept === NONE ? null : (reading.history.id(kept) as EntryId)
  return { as: [said(summary)], keepFrom }
}

function countIn(line: JsonObject): number {
  return Math.max(0, numberField(line, "compactedCount") ?? numberField(line, "count") ?? 0)
}

/** The first row of each message that the model got before this row; NONE for those made from a compaction. */
function messagesBefore(row: Row, { history, original }: Reading): Row[] {
  let messages: Row[] = []
  let step: string | undefined
  for (const each of path(history, history.parent(row))) {
    const kind = history.kind(each)
    if (kind !== KIND.message && kind !== KIND.compaction) continue
    const line = history.role(each) === ASSISTANT || kind === KIND.compaction ? parseLine(original(each)) : undefined
    if (kind === KIND.compaction) messages = afterCompaction(messages, line ?? {})
    else {
      const now = stepOf(line)
      if (now === undefined || now !== step) messages.push(each)
      if (history.role(each) !== TOOL) step = now
    }
  }
  return messages
}

function afterCompaction(messages: readonly Row[], line: JsonObject): Row[] {
  if (isOfOldShape(line)) return [NONE, ...messages.slice(countIn(line))]
  const kept = Math.max(0, Math.min(numberField(line, "keptUserMessageCount") ?? 0, messages.length))
  const note = typeof line.keptHeadUserMessageCount === "number" ? 1 : 0
  return Array.from({ length: kept + note + 2 }, () => NONE)
}

function stepOf(line: JsonObject | undefined): string | undefined {
  return textField(objectField(line, "event"), "stepUuid")
}

const [ASSISTANT, TOOL, USER] = [ROLES.indexOf("assistant"), ROLES.indexOf("tool"), ROLES.indexOf("user")]
const KEPT = new Set(["prompt", "steer", "command"].map((origin) => ORIGINS.indexOf(origin as "prompt")))

function newShape(row: Row, summary: string, { history, original }: Reading, blob: ReadBlob): Shape {
  const messages: Part[][] = []
  for (const each of path(history, history.parent(row))) {
    const isKept = history.kind(each) === KIND.message && history.role(each) === USER && KEPT.has(history.origin(each))
    if (isKept) messages.push(contentOf(objectField(parseLine(original(each)), "message")?.content, blob))
  }
  const kept = keptOf(messages).map((content) => ({ role: "user" as const, content }))
  return { as: [...kept, said(summary), said(GO_ON)], keepFrom: null }
}

function said(text: string): { role: "user"; content: Part[] } {
  return { role: "user", content: [{ type: "text", text }] }
}
