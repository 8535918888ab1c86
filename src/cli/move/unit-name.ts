// What the next undo or redo is about, in words.
import { type History, NONE } from "../../history/tree/tree.ts"

export function unitName(history: History, way: "undo" | "redo"): string {
  const last = history.size - 1
  if (last < 0) return "nothing"
  const row = way === "undo" ? history.undo(last) : history.redo(last)
  const unit = way === "redo" && row !== NONE ? history.unit(row) : row
  const record = unit === NONE ? undefined : history.record(unit)
  if (record?.type === "operation" && record.kind === "omit") return "leaving out what a provider refused"
  return record?.type === "operation" ? `the last ${record.kind}` : "the last round"
}
