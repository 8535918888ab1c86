// Labels and config: records outside the tree. The last one wins, so two writers lose no update.
import { entryNamed, type History, type Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { type EntryId, parseRecordId, SHORT_ID } from "../../model/id.ts"
import type { Json } from "../../model/json.ts"
import { labelName } from "../../model/record/label-name.ts"
import { notice, type OpenSession, tellOthers, write } from "../state/open-session.ts"

const LONGEST = 80
/** Names with another meaning where an entry is named. */
const TAKEN = /^(head(~\d+)?|@\d+|start)$/
const HINT = "Use a short name on one line, such as before-refactor."

/** Contract: a name belongs to one entry. Another entry with that name loses it in the same write. */
export async function setLabel(session: OpenSession, row: Row, name: string): Promise<EntryId> {
  const clean = labelName(name)
  notice(session)
  const problem = name.trim() === "" ? undefined : labelProblem(session, clean)
  if (problem !== undefined) throw new RetconError({ code: "invalid", problem, advice: HINT })
  const entry = session.history.id(row) as EntryId
  const other = clean === "" ? undefined : entryNamed(session.history, clean)
  const taken = other === undefined || other === entry ? [] : [{ entry: other, name: "" }]
  const drafts = [...taken, { entry, name: clean }]
  const records = drafts.map((draft) => ({
    id: session.ids.record(),
    type: "label" as const,
    at: session.now(),
    ...draft,
  }))
  const written = await write(session, records, { durability: session.durability })
  for (const draft of drafts) session.events.emit({ type: "labelled", ...draft })
  tellOthers(session, written.others)
  return entry
}

function labelProblem({ history }: OpenSession, name: string): string | undefined {
  if (name === "") return "That name has no visible characters."
  if (name.length > LONGEST) return `A label has at most ${LONGEST} characters.`
  if (TAKEN.test(name)) return `"${name}" already names an entry by its position.`
  return namesById(history, name) ? `"${name}" is an id, or the end of one.` : undefined
}

/** Whether it is a complete id of anything, or the end of an entry's id in this session. */
function namesById(history: History, name: string): boolean {
  const end = name.toLowerCase()
  if (parseRecordId(end) !== undefined) return true
  return end.length >= SHORT_ID && /^[0-9a-f-]+$/.test(end) && history.endingWith(end).length > 0
}

export async function setConfig(session: OpenSession, key: string, value: Json): Promise<void> {
  notice(session)
  const record = { id: session.ids.record(), type: "config" as const, at: session.now(), key, value }
  const { others } = await write(session, [record], { durability: session.durability })
  session.events.emit({ type: "configured", key })
  tellOthers(session, others)
}
