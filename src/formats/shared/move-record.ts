// A move of the head in another agent's file, as an operation.
import type { Rows } from "../../history/rows/rows.ts"
import { entryId, type History, type Row } from "../../history/tree/tree.ts"
import type { OperationRecord } from "../../model/record/record.ts"

/** `by`: the agent, if it went back by itself. */
export function moveRecord(
  history: History & Rows,
  row: Row,
  at: string,
  by: "person" | "agent" = "person",
): OperationRecord {
  const head = { from: entryId(history, history.parent(row)), to: entryId(history, history.headAfter(row)) }
  return { id: history.id(row), type: "operation", at, kind: by === "agent" ? "backtrack" : "goto", by, head }
}
