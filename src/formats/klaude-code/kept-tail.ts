// What a compaction of Klaude Code kept. The index that it records refers to a list that was cut when the session was loaded, so it
// is unreliable. How many items it kept, and how they begin, is reliable.
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import { KIND } from "../../model/record/record.ts"
import type { Reading } from "../port.ts"
import { listField, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { textOf } from "./origin.ts"

/** How much of a preview is compared: it may be shortened. */
const PREVIEW = 16
/** How far from the position given by the count to look for the preview. */
const NEAR = 64

/** The first entry that stays; null if none does, or if unknown. */
export function keptFrom(compaction: Row, data: JsonObject, reading: Reading): EntryId | null {
  const { history } = reading
  const briefs = listField(data, "kept_items_brief")
  const count = briefs.reduce<number>((sum, brief) => sum + Math.max(0, numberField(brief, "count") ?? 0), 0)
  const start = textField(briefs[0], "preview")?.trimStart().slice(0, PREVIEW) ?? ""
  let found: Row = NONE
  let messages = 0
  let row = history.parent(compaction)
  const floor = history.compaction(row)
  for (; row !== NONE && row !== floor && messages < count + NEAR; row = history.parent(row)) {
    if (history.kind(row) !== KIND.message) continue
    messages++
    if (messages === count) found = row
    if (messages >= count && start !== "" && startsWith(row, start, reading)) return history.id(row) as EntryId
  }
  return found === NONE ? null : (history.id(found) as EntryId)
}

function startsWith(row: Row, start: string, { original }: Reading): boolean {
  return textOf(objectField(parseLine(original(row)), "data"))
    .trimStart()
    .startsWith(start)
}
