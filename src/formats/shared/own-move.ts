// The mark on a line that carries out one of our moves: the operation's id, and the target entry.
import type { Rows } from "../../history/rows/rows.ts"
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import type { JsonObject } from "../../model/json.ts"
import { isEntryKind } from "../../model/record/record.ts"
import { uuidWords } from "../ids.ts"
import type { MoveAsked } from "../port.ts"
import { objectField, textField } from "./json-line.ts"

export function moveMark({ history, to, operation }: MoveAsked): JsonObject {
  return { operation: operation.id, to: entryId(history, to) }
}

/** Undefined if the line is not ours, or names an operation that is already there or an entry that is not. */
export function markedMove(line: JsonObject, rows: Rows): { id: Uint32Array; to: Row } | undefined {
  const mark = objectField(line, "retcon")
  const id = uuidWords(mark?.operation)
  if (mark === undefined || id === undefined || rows.rowOfWords(id) !== NONE) return undefined
  if (mark.to === null) return { id, to: NONE }
  const words = uuidWords(textField(mark, "to"))
  const to = words === undefined ? NONE : rows.rowOfWords(words)
  return to === NONE || !isEntryKind(rows.kind(to)) ? undefined : { id, to }
}
