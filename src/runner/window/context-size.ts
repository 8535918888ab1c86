// How full the window is: what the provider last reported on this path, plus an estimate of what came after.
import { contextRows } from "../../history/context/context.ts"
import { type History, NONE, type Row } from "../../history/tree/tree.ts"
import { KIND, type LogRecord } from "../../model/record/record.ts"
import { recordTokens } from "../../model/record/record-tokens.ts"
import type { CountTokens } from "../../model/tokens.ts"
import type { ToolSpec } from "../../provider/port/port.ts"
import { tokensOf } from "../../provider/port/usage.ts"

export interface ContextSize {
  /** Reported with the last finished answer on the path; 0 if there is none since the last compaction. */
  used: number
  /**
   * The estimate for everything after it. Without a report, for everything, including the system prompt and the tools.
   */
  pending: number
}

/** Contract: costs the path since the last usage report. */
export function contextSize(
  history: History,
  head: Row,
  tokens: CountTokens,
  tools?: readonly ToolSpec[],
): ContextSize {
  return contextSizes(history, tokens, tools)(head)
}

/** The same for one head after another, as in the steps of a turn: each entry is read and estimated once. */
export function contextSizes(
  history: History,
  tokens: CountTokens,
  tools: readonly ToolSpec[] = [],
): (head: Row) => ContextSize {
  const used = onceEach((row) => reported(history.record(row)))
  const estimated = onceEach((row) => entryTokens(history, row, tokens))
  let ofTools: number | undefined
  return (head) => {
    let pending = 0
    const compaction = history.compaction(head)
    for (let row = head; row !== NONE && row !== compaction; row = history.parent(row)) {
      const report = used(row)
      if (report !== undefined) return { used: report, pending }
      if (history.kind(row) !== KIND.state) pending += estimated(row)
    }
    if (compaction !== NONE) {
      for (const row of [compaction, ...contextRows(history, compaction).kept]) pending += estimated(row)
    }
    const system = history.system(head)
    if (system !== NONE) pending += estimated(system)
    ofTools ??= toolTokens(tools, tokens)
    return { used: 0, pending: pending + ofTools }
  }
}

function toolTokens(tools: readonly ToolSpec[], tokens: CountTokens): number {
  return tools.reduce((sum, tool) => sum + tokens(tool.name + tool.description + JSON.stringify(tool.input)), 0)
}

/** What every request contains, whatever was said: the system prompt and the tools. */
export function fixedTokens(history: History, head: Row, tokens: CountTokens, tools: readonly ToolSpec[]): number {
  const system = history.system(head)
  return toolTokens(tools, tokens) + (system === NONE ? 0 : entryTokens(history, system, tokens))
}

/** What an entry adds to a context, estimated. */
export function entryTokens(history: History, row: Row, tokens: CountTokens): number {
  return recordTokens(history.record(row), tokens)
}

function onceEach<Value>(work: (row: Row) => Value): (row: Row) => Value {
  const known = new Map<Row, { value: Value }>()
  return (row) => {
    const found = known.get(row) ?? { value: work(row) }
    known.set(row, found)
    return found.value
  }
}

/** The usage of an aborted or failed answer does not show how large the context was. */
function reported(record: LogRecord | undefined): number | undefined {
  if (record?.type !== "message" || record.role !== "assistant" || record.usage === undefined) return undefined
  if (record.stop === "aborted" || record.stop === "failed") return undefined
  return tokensOf(record.usage)
}
