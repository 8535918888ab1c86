// The calls of a session of which its agent's own files tell what they changed.
import type { SaidFiles } from "../../formats/port.ts"
import type { SaidCall } from "../../history/files/said-calls.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { KIND } from "../../model/record/kind.ts"
import type { ToolCallPart } from "../../model/record/part.ts"
import type { MessageRecord } from "../../model/record/record.ts"
import type { ForeignLog } from "./foreign-log.ts"

type Told = Pick<SaidCall, "call" | "row" | "at"> & SaidFiles & { tool: string }

/** Those after the row `since`, in the order of their time, with paths as `named` gives them. Reads the rows since then. */
export function saidCalls(
  { opened, history }: Pick<ForeignLog, "opened" | "history">,
  since: Row,
  named: (path: string) => string,
): SaidCall[] {
  if (opened.said === undefined) return []
  const told: Told[] = []
  /** When each row was written, as far as it matters: at prompts and at results. */
  const times: { row: Row; at: string }[] = []
  const calls = new Map<string, ToolCallPart>()
  const results = new Map<string, Row>()
  for (let row = since === NONE ? 0 : since; row < history.size; row++) {
    const record = messageAt(history, row)
    if (record === undefined) continue
    if (history.isPrompt(row) || record.role === "tool") times.push({ row, at: record.at })
    for (const part of record.content) {
      if (part.type === "tool-call") calls.set(part.call, part)
      if (part.type !== "tool-result") continue
      results.set(part.call, row)
      const call = calls.get(part.call) ?? callAbove(history, row, part.call)
      if (call === undefined) continue
      // A later version of the line may only repeat what the model gets.
      const said = opened.said(call, history.body(row)) ?? opened.said(call, history.line(row))
      if (said === undefined || isRepeated(part.call, said, times[0]?.at ?? "", told)) continue
      told.push({ call: part.call, tool: call.name, row, at: record.at, ...said })
    }
  }
  const telling = new Set(told.filter(({ elseNone }) => elseNone !== true).map(({ tool }) => tool))
  const own = told.filter(({ elseNone, tool }) => elseNone !== true || telling.has(tool))
  const known = new Set(own.map(({ call }) => call))
  const first = times[0]?.at
  const beside = (first === undefined ? [] : (opened.saidBeside?.(Date.parse(first) - TOLD_BEFORE) ?? []))
    .filter(({ call, at }) => !known.has(call) && (results.has(call) || at >= (first ?? "")))
    .map((call) => ({
      ...call,
      row: results.get(call.call) ?? times.findLast(({ at }) => at <= call.at)?.row ?? since,
    }))
  return [...own, ...beside]
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.row - b.row))
    .map(({ call, row, at, files }) => ({
      call,
      row,
      at,
      files: files.map((file) => ({ ...file, path: named(file.path) })),
    }))
}

/** How many milliseconds before its result a call may be told on another line. */
const TOLD_BEFORE = 60_000

/** Whether a result only says again what happened before, or what an earlier row says. */
function isRepeated(call: string, { at }: SaidFiles, first: string, told: readonly Told[]): boolean {
  if (at === undefined) return false
  return at < first || told.some((each) => each.call === call && each.at === at)
}

/** How far above its result a call may be: other results, and what was attached to them, come between. */
const MOST_BETWEEN = 64

function callAbove(history: ForeignLog["history"], row: Row, call: string): ToolCallPart | undefined {
  let above = history.parent(row)
  for (let i = 0; i < MOST_BETWEEN && above !== NONE; i++, above = history.parent(above)) {
    const part = messageAt(history, above)?.content.find((each) => each.type === "tool-call" && each.call === call)
    if (part?.type === "tool-call") return part
  }
  return undefined
}

function messageAt(history: ForeignLog["history"], row: Row): MessageRecord | undefined {
  const record = history.kind(row) === KIND.message ? history.record(row) : undefined
  return record?.type === "message" ? record : undefined
}
