// Whether more of the same answer follows an entry: Claude Code loads all pieces of an answer and all results of its calls, even
// if a checkpoint is in the middle of them.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { KIND } from "../../model/record/kind.ts"
import { ROLES } from "../../model/record/origin.ts"
import type { Reading } from "../port.ts"
import { objectField, parseLine, textField } from "../shared/json-line.ts"

export function isWithinAnswer({ history, read }: Pick<Reading, "history" | "read">, to: Row): boolean {
  const role = roleOf(to)
  if (role !== "assistant" && role !== "tool") return false
  const answer = role === "assistant" ? answerOf(to) : undefined
  // Hooks' attachments come between the pieces.
  const behind = new Set<Row>([to])
  for (let row = to + 1; row < history.size; row++) {
    if (!behind.has(history.parent(row))) continue
    const said = roleOf(row)
    if (said === "tool" || (said === "assistant" && answer !== undefined && answerOf(row) === answer)) return true
    if (said === undefined) behind.add(row)
  }
  return false

  function roleOf(row: Row): string | undefined {
    return row !== NONE && history.kind(row) === KIND.message ? ROLES[history.role(row)] : undefined
  }

  function answerOf(row: Row): string | undefined {
    return textField(objectField(parseLine(read(row)), "message"), "id")
  }
}
