// Units in words: a round by its prompt, a move by its kind and by what it left behind.
import { entryText } from "../../model/record/entry-text.ts"
import { leftOutIn } from "../context/left-out.ts"
import { type History, NONE, type Row } from "../tree/tree.ts"
import type { Unit } from "./units.ts"

export interface UnitWords {
  at: string
  kind: string
  by: string
  /** The prompt of a round; the note of a move. */
  text: string
}

/** Not sanitised. */
export function unitWords(history: History, unit: Pick<Unit, "row" | "to">): UnitWords {
  const record = history.record(unit.row)
  const at = record?.at ?? ""
  if (record?.type === "operation") return { at, kind: record.kind, by: record.by, text: leftBehind(history, unit) }
  const prompt = history.prompt(unit.to)
  const asked = prompt !== NONE && prompt >= unit.row
  const own = asked ? history.record(prompt) : record
  return { at, kind: "round", by: asked ? "person" : "agent", text: (own && entryText(own)) ?? "" }
}

/** The note or summary that a move left. */
function leftBehind(history: History, unit: Pick<Unit, "row" | "to">): string {
  const to = history.headAfter(unit.row)
  if (to === NONE || to !== unit.row - 1) return ""
  const record = history.record(to)
  if (record?.type === "state") return leftOutWords(history, to)
  return record?.type === "note" || record?.type === "compaction" ? (entryText(record) ?? "") : ""
}

/** What is omitted from the context from there on. */
function leftOutWords(history: History, row: Row): string {
  const [entry] = leftOutIn(history, [row]).keys()
  const at = entry === undefined ? NONE : history.rowOf(entry)
  const record = at === NONE ? undefined : history.record(at)
  return (record && entryText(record)) ?? ""
}
