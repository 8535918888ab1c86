// The rows of one answer. Claude Code writes a line per block of it, and results of its calls, hooks' lines and attachments come in
// between. It loads all pieces of an answer and all results of its calls, even if a checkpoint is in the middle of them.
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { JsonObject } from "../../model/json.ts"
import { KIND } from "../../model/record/kind.ts"
import { ROLES } from "../../model/record/origin.ts"
import type { Reading } from "../port.ts"
import { numberField, objectField, parseLine, textField } from "../shared/json-line.ts"

type Rows = Pick<Reading, "history" | "read">

/** Whether more of the same answer follows an entry: another piece, or the result of one of its calls. */
export function isWithinAnswer(rows: Rows, to: Row): boolean {
  const role = roleOf(rows, to)
  if (role !== "assistant" && role !== "tool") return false
  const piece = [...upwards(rows, to)].find((row) => roleOf(rows, row) === "assistant")
  const answer = textField(objectField(piece === undefined ? undefined : parseLine(rows.read(piece)), "message"), "id")
  return following(rows, to, answer, Number.POSITIVE_INFINITY).next().done !== true
}

/** How far apart, in lines, the pieces of an answer are at most. Between calls and results there may be more. */
const MOST_BETWEEN = 64

/**
 * The usage of a whole answer, if this is its first piece. Every piece has one, but in most versions only one of them, often the last,
 * has the real number of tokens; the others were written while the answer was still coming. The highest one counts.
 */
export function answerUsage(rows: Rows, row: Row, message: JsonObject | undefined): JsonObject | undefined {
  const usage = objectField(message, "usage")
  const answer = textField(message, "id")
  if (answer === undefined) return usage
  for (const above of upwards(rows, row, row))
    if (roleOf(rows, above) === "assistant") {
      if (isPieceOf(rows, above, answer)) return undefined
      break
    }
  let highest = usage
  for (const piece of following(rows, row, answer, MOST_BETWEEN)) {
    if (roleOf(rows, piece) !== "assistant") continue
    const other = objectField(objectField(parseLine(rows.read(piece)), "message"), "usage")
    if (outputIn(other) > outputIn(highest)) highest = other
  }
  return highest
}

function outputIn(usage: JsonObject | undefined): number {
  return numberField(usage, "output_tokens") ?? -1
}

/** The rows above an entry that may belong to the same answer. `without`: one to leave out. */
function* upwards({ history }: Rows, from: Row, without = NONE): Generator<Row> {
  for (let row = from; row !== NONE && !history.isPrompt(row); row = history.parent(row)) if (row !== without) yield row
}

/** The further pieces of an answer, and the results of its calls, behind an entry. Other rows between them do not matter. */
function* following(rows: Rows, from: Row, answer: string | undefined, most: number): Generator<Row> {
  const { history } = rows
  const behind = new Set<Row>([from])
  let last = from
  for (let row = from + 1; row < history.size && row - last <= most; row++) {
    if (!behind.has(history.parent(row))) continue
    const role = roleOf(rows, row)
    const isPiece = role === "assistant" && answer !== undefined && isPieceOf(rows, row, answer)
    if (history.isPrompt(row) || (role === "assistant" && !isPiece)) return
    behind.add(row)
    last = row
    if (role === "tool" || isPiece) yield row
  }
}

function roleOf({ history }: Rows, row: Row): string | undefined {
  return row !== NONE && history.kind(row) === KIND.message ? ROLES[history.role(row)] : undefined
}

/** Without parsing: inside a string, quotes are escaped. */
function isPieceOf({ read }: Rows, row: Row, answer: string): boolean {
  return read(row).includes(`"id":${JSON.stringify(answer)}`)
}
