// A front end asks from what it shows. If somebody has moved the head since, it is told so, and asks again.
import { isAsShown } from "../../history/plan/as-shown.ts"
import { entryId, NONE } from "../../history/tree/tree.ts"
import { doneSince } from "../../history/words/done-elsewhere.ts"
import type { Failure } from "../../model/failure/failure.ts"
import type { EntryId } from "../../model/id.ts"
import type { OpenSession } from "./open-session.ts"

/** Why what was asked for from `expects` is not done; undefined if the head is there, or nothing is expected. */
export function movedElsewhere(session: OpenSession, expects: EntryId | null | undefined): Failure | undefined {
  if (expects === undefined) return undefined
  const { history, log, head, running } = session
  const shown = expects === null ? NONE : history.rowOf(expects)
  const known = expects === null || shown !== NONE
  if (known && isAsShown(history, shown, head, { working: running })) return undefined
  const did = known ? doneSince(history, shown, log.agent) : undefined
  return { code: "moved-elsewhere", head: entryId(history, head), ...(did !== undefined && { did }) }
}
