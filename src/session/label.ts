// Labels and config: records beside the tree. The last one wins, so two writers lose no update.
import type { Row } from "../history/tree.ts"
import { RetconError } from "../model/failure.ts"
import type { EntryId } from "../model/id.ts"
import type { Json } from "../model/json.ts"
import { type Desk, notice, tellChanged, write } from "./desk.ts"

const LONGEST = 80
/** Names that mean something else where an entry is named. */
const TAKEN = /^(head(~\d+)?|@\d+)$/

export async function setLabel(desk: Desk, row: Row, name: string): Promise<EntryId> {
  const clean = name.trim()
  const problem = labelProblem(clean)
  if (problem !== undefined) {
    throw new RetconError({ code: "invalid", problem, hint: "Use a short name on one line, such as before-refactor." })
  }
  notice(desk)
  const entry = desk.history.id(row) as EntryId
  const record = { id: desk.ids.record(), type: "label" as const, at: desk.now(), entry, name: clean }
  const { others } = await write(desk, [record], desk.durability)
  desk.events.emit({ type: "labelled", entry, name: clean })
  tellChanged(desk, others)
  return entry
}

function labelProblem(name: string): string | undefined {
  if (name.length > LONGEST) return `A label has at most ${LONGEST} characters.`
  if (/\p{Cc}/u.test(name)) return "A label has no control characters."
  return TAKEN.test(name) ? `"${name}" already names an entry by its place.` : undefined
}

export async function setConfig(desk: Desk, key: string, value: Json): Promise<void> {
  notice(desk)
  const record = { id: desk.ids.record(), type: "config" as const, at: desk.now(), key, value }
  const { others } = await write(desk, [record], desk.durability)
  desk.events.emit({ type: "configured", key })
  tellChanged(desk, others)
}
