// What a format would append to go to a row, as a test looks at it.
import type { Row } from "../../src/history/tree/tree.ts"
import type { RecordId } from "../../src/model/id.ts"
import type { ReadSession } from "./read-session.ts"

export const OPERATION = "01a1e600-0000-7000-8000-0000abcdef12"

/** The lines, parsed; or why not. */
export function movedBy({ session }: ReadSession, to: Row) {
  const head = { from: null, to: null }
  const at = "2026-11-16T17:00:00.000Z"
  const move = session.move(to, { id: OPERATION as RecordId, type: "operation", at, kind: "goto", by: "person", head })
  return move?.ok === true ? move.lines.map((line) => JSON.parse(line)) : move
}

/** The only line. */
export function moveTo(read: ReadSession, to: Row) {
  const moved = movedBy(read, to)
  return Array.isArray(moved) && moved.length === 1 ? moved[0] : moved
}
