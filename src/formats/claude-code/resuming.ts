// What Claude Code sends when it resumes, where that is not simply the path to a checkpoint.
//
// It goes up from the checkpoint to a message or result. It loads the whole answer that this belongs to: all pieces, which are lines
// of their own, and all results of its calls. It also loads everything behind it that is no message: what hooks, an editor or a person
// who typed meanwhile attached to it.
import { isOnPath, NONE, type Row } from "../../history/tree/tree.ts"
import type { JsonObject } from "../../model/json.ts"
import { ROLES } from "../../model/record/origin.ts"
import { KIND } from "../../model/record/record.ts"
import type { Reading } from "../port.ts"
import { numberField, objectField, parseLine, textField } from "../shared/json-line.ts"

type Rows = Pick<Reading, "history" | "read">

/** Where the program would continue if asked to continue from an entry. `holds`: it would also send what ends there. */
export type Landing = { at: Row } | { refused: "aside" | "within" } | { refused: "beside"; holds: Row }

export function landing(rows: Rows, to: Row): Landing {
  const { history, read } = rows
  if (to !== NONE && history.headAfter(to) !== to) return { refused: "aside" }
  if (isWithinAnswer(rows, to)) return { refused: "within" }
  let at = to
  for (let row = to; row !== NONE; row = history.parent(row)) {
    const line = parseLine(read(row))
    // It has nothing above it there. The conversation is the one before it.
    if (line?.subtype === "compact_boundary") at = history.parent(row)
    if (line?.type !== "user" && line?.type !== "assistant") continue
    const beside = besides(rows, row, at)
    return beside === undefined ? { at } : { refused: "beside", holds: beside }
  }
  // There is a special checkpoint for the start: none is accepted on entries before the first message, such as a hook's.
  return { at: NONE }
}

/** The last of the attachments behind a message that are sent with it, unless all of them are on the path to `to`. */
function besides(rows: Rows, message: Row, to: Row): Row | undefined {
  const { history, read } = rows
  const behind = new Set<Row>([message])
  let [last, complete] = [NONE, true]
  for (let row = message + 1; row < history.size; row++) {
    if (!behind.has(history.parent(row)) || history.headAfter(row) !== row) continue
    const type = textField(parseLine(read(row)), "type")
    if (type === "user" || type === "assistant") continue
    behind.add(row)
    if (history.kind(row) !== KIND.message) continue
    last = row
    if (!isOnPath(history, row, to)) complete = false
  }
  return complete ? undefined : last
}

/** Whether more of the same answer follows an entry: another piece, or the result of one of its calls. */
function isWithinAnswer(rows: Rows, to: Row): boolean {
  if (to === NONE || rows.history.isPrompt(to)) return false
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
