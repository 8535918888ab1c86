// The mark on a line that carries out a move of ours: which operation it is, and which entry it goes to.
import type { Rows } from "../../history/rows/rows.ts"
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import type { JsonObject } from "../../model/json.ts"
import { isEntryKind } from "../../model/record/kind.ts"
import { uuidWords } from "../ids.ts"
import type { MoveAsked } from "../port.ts"
import { objectField, textField } from "./json-line.ts"

export function moveMark({ history, to, operation }: MoveAsked): JsonObject {
  return { operation: operation.id, to: entryId(history, to) }
}

/** Undefined when the line is none of ours, or names an operation that is there already, or an entry that is not. */
export function markedMove(line: JsonObject, rows: Rows): { id: Uint32Array; to: Row } | undefined {
  const mark = objectField(line, "retcon")
  const id = uuidWords(mark?.operation)
  if (mark === undefined || id === undefined || rows.rowOfWords(id) !== NONE) return undefined
  if (mark.to === null) return { id, to: NONE }
  const words = uuidWords(textField(mark, "to"))
  const to = words === undefined ? NONE : rows.rowOfWords(words)
  return to === NONE || !isEntryKind(rows.kind(to)) ? undefined : { id, to }
}
