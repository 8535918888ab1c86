// Facts about a whole Neovate Code session: its title, and which session it was split off from.
import type { EntryId } from "../../model/id.ts"
import { isObject, type JsonObject } from "../../model/json.ts"
import { textOf, uuidWords } from "../ids.ts"
import { objectField, textField } from "../shared/json-line.ts"

/** The title that a line gives the session. */
export function titleIn(line: JsonObject): string | undefined {
  const text = line.type === "custom-title" ? line.customTitle : isObject(line.config) ? line.config.summary : undefined
  return typeof text === "string" && text.trim() !== "" ? text : undefined
}

/** `/branch` copies a session, and records in each message which one it was copied from. The last of them is the split point. */
export function forkedFrom(lines: readonly JsonObject[]): { name: string; entry: EntryId | null } | undefined {
  const marks = lines.map((line) => objectField(line, "forkedFrom")).filter((mark) => mark !== undefined)
  const name = textField(marks[0], "sessionId")
  if (name === undefined) return undefined
  const words = uuidWords(textField(marks.at(-1), "messageUuid"))
  return { name, entry: words === undefined ? null : (textOf(words) as EntryId) }
}
