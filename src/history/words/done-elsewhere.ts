// What others did, from the rows that they added.
import { KIND, plainText } from "../../model/record/record.ts"
import type { DoneElsewhere } from "../../model/text/done-elsewhere.ts"
import { type History, NONE, type Row } from "../tree/tree.ts"

/** How many rows to search for the last thing that was done. */
const MOST_ROWS = 10_000

/** The last move or prompt among these rows; undefined if there is none. `agent`: the agent whose session it is. */
export function doneElsewhere(history: History, rows: readonly Row[], agent?: string): DoneElsewhere | undefined {
  for (const row of rows.toReversed()) {
    if (history.kind(row) === KIND.operation) return operationAt(history, row)
    if (history.isPrompt(row)) return promptAt(history, row, agent)
  }
  return undefined
}

/** The last move or prompt since the head was last at `shown`; undefined if that was long ago. */
export function doneSince(history: History, shown: Row, agent?: string): DoneElsewhere | undefined {
  const rows: Row[] = []
  for (let row = history.size - 1; row >= 0 && rows.length < MOST_ROWS; row--) {
    if (history.headAfter(row) === shown) break
    rows.push(row)
  }
  return doneElsewhere(history, rows.reverse(), agent)
}

function operationAt(history: History, row: Row): DoneElsewhere | undefined {
  const record = history.record(row)
  if (record?.type !== "operation") return undefined
  const { kind, by, via, head } = record
  const rounds = roundOf(history, head.from) - roundOf(history, head.to)
  const to = kind === "goto" && head.to !== null ? history.prompt(history.rowOf(head.to)) : NONE
  return { kind, by, rounds, ...(via !== undefined && { via }), ...textAt(history, to) }
}

function promptAt(history: History, row: Row, agent: string | undefined): DoneElsewhere {
  return { kind: "prompt", by: "person", rounds: -1, ...textAt(history, row), ...(agent !== undefined && { agent }) }
}

function roundOf(history: History, entry: string | null): number {
  const row = entry === null ? NONE : history.rowOf(entry)
  return row === NONE ? 0 : history.round(row)
}

function textAt(history: History, row: Row): { text?: string } {
  const record = row === NONE ? undefined : history.record(row)
  return record?.type === "message" ? { text: record.display ?? plainText(record.content) } : {}
}
