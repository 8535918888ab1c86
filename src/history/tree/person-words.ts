// What the person said on a path: prompts, and messages typed while the agent ran. Compactions and notes keep it verbatim.
import { ORIGINS, ROLES } from "../../model/record/origin.ts"
import { KIND, plainText } from "../../model/record/record.ts"
import { type History, NONE, type Row, type Tree } from "./tree.ts"

export interface PersonWords {
  /** The message, or the note that kept the words. */
  row: Row
  text: string
}

const USER = ROLES.indexOf("user")
const STEER = ORIGINS.indexOf("steer")

/** From `head` up to `after` (exclusive, NONE for the root), newest first. Reads only bodies with such words. */
export function* personWords(history: History, head: Row, after: Row = NONE): Generator<PersonWords> {
  for (let row = head; row !== NONE && row !== after; row = history.parent(row)) {
    if (history.kind(row) === KIND.note) {
      const record = history.record(row)
      const kept = record?.type === "note" ? (record.prompts ?? []) : []
      for (const text of kept.toReversed()) yield { row, text }
    } else if (isSaid(history, row)) {
      const record = history.record(row)
      if (record?.type === "message") yield { row, text: plainText(record.content) }
    }
  }
}

/** A prompt, or a message typed while the agent ran. Going to one means going before it, with its text to edit. */
export function isSaid(tree: Tree, row: Row): boolean {
  return tree.isPrompt(row) || isSteering(tree, row)
}

function isSteering(tree: Tree, row: Row): boolean {
  return tree.kind(row) === KIND.message && tree.role(row) === USER && tree.origin(row) === STEER
}

/** Messages typed while the agent ran, by the prompt of their round, in order. From `head` up to `after`, exclusive. */
export function steeringByPrompt(tree: Tree, head: Row, after: Row = NONE): Map<Row, Row[]> {
  const found = new Map<Row, Row[]>()
  for (let row = head; row !== NONE && row !== after; row = tree.parent(row)) {
    if (!isSteering(tree, row)) continue
    const prompt = tree.prompt(row)
    found.set(prompt, [row, ...(found.get(prompt) ?? [])])
  }
  return found
}
