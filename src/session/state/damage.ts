// What a conversation lacks because its log is damaged. `doctor` says what else is wrong with the log.
import { contextRows } from "../../history/context/context.ts"
import { NONE, path, type Row, root } from "../../history/tree/tree.ts"
import { isEntry, KIND, type Part } from "../../model/record/record.ts"
import { lineNumberOf } from "../../store/line-number.ts"
import type { SessionLog } from "../../store/port.ts"

const STAND_IN = "[content "

export interface Damage {
  /** The number of the line in the log, from 1. */
  line: number
  problem: string
}

/**
 * Oldest first. Costs as much as a context, plus a look at the lines written since. `since`: only from that row on, at
 * the cost of what follows it.
 */
export function damageAt(log: SessionLog, head: Row, since?: Row): Damage[] {
  const { history } = log
  if (since !== undefined) return damaged(log, since, new Set(path(history, head, history.parent(since))))
  const { compaction, kept, rest } = contextRows(history, head)
  const rows = new Set([...kept, ...(compaction === NONE ? [] : [compaction]), ...rest])
  const found: Damage[] = []
  const first = root(history, head)
  const record = first === NONE ? undefined : history.record(first)
  if (record !== undefined && isEntry(record) && record.parent !== null) {
    found.push({ line: lineNumberOf(log, first), problem: `what it continues (${record.parent}) is not in the log` })
  }
  return [...found, ...damaged(log, kept[0] ?? rest[0] ?? 0, rows)]
}

/** A text stands in for content that is stored beside the log and lost: whether it is one, only the log knows. */
function isIncomplete(log: SessionLog, row: Row): boolean {
  const record = log.history.record(row)
  if (record === undefined) return true
  return record.type === "message" && record.content.some(standsIn) && log.problem(row) !== undefined
}

function standsIn(part: Part): boolean {
  if (part.type === "tool-result") return part.output.startsWith(STAND_IN) || (part.media?.some(standsIn) ?? false)
  if (part.type === "image" || part.type === "file") return part.data?.startsWith(STAND_IN) ?? false
  return (part.type === "text" || part.type === "reasoning") && part.text.startsWith(STAND_IN)
}

/** Damaged lines among `rows`, and lines that are no longer entries: one of those may have been the next entry. */
function damaged(log: SessionLog, first: Row, rows: ReadonlySet<Row>): Damage[] {
  const { history } = log
  const found: Damage[] = []
  for (let row = first; row < history.size; row++) {
    if (history.kind(row) !== KIND.damaged && !(rows.has(row) && isIncomplete(log, row))) continue
    found.push({ line: lineNumberOf(log, row), problem: log.problem(row) ?? "it cannot be read" })
  }
  // Another agent may be writing that line right now.
  if (log.tornTail !== undefined && log.agent === undefined)
    found.push({ line: history.size + 1, problem: "it was cut off" })
  return found
}
