// What the person said on a path: prompts, and messages typed while the agent ran. Compactions and notes keep it word for word.
import { KIND } from "../model/kind.ts"
import { ORIGINS, ROLES } from "../model/origin.ts"
import { plainText } from "../model/part.ts"
import { type History, NONE, type Row } from "./tree.ts"

export interface PersonWords {
  /** The message, or the note that kept the words. */
  row: Row
  text: string
}

const USER = ROLES.indexOf("user")
const STEER = ORIGINS.indexOf("steer")

/** From `head` up to `after` (exclusive, NONE for the root), newest first. Reads no bodies but those that hold some. */
export function* personWords(history: History, head: Row, after: Row = NONE): Generator<PersonWords> {
  for (let row = head; row !== NONE && row !== after; row = history.parent(row)) {
    if (history.kind(row) === KIND.note) {
      const record = history.record(row)
      const kept = record?.type === "note" ? (record.prompts ?? []) : []
      for (const text of kept.toReversed()) yield { row, text }
    } else if (isPersons(history, row)) {
      const record = history.record(row)
      if (record?.type === "message") yield { row, text: plainText(record.content) }
    }
  }
}

function isPersons(history: History, row: Row): boolean {
  if (history.kind(row) !== KIND.message) return false
  return history.isPrompt(row) || (history.role(row) === USER && history.origin(row) === STEER)
}
