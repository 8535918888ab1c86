// Brings a branch, or single rounds. Nothing can be added to another agent's session: what was found is left as a note for its agent.
import type { MoveResult } from "../../model/move/moved.ts"
import { sanitise } from "../../model/text/sanitise.ts"
import type { BringOptions } from "../../session/operations/bring-branch.ts"
import type { Session } from "../../session/session.ts"

/** For the next agent in the session's folder. */
export type LeaveNote = (text: string) => void

export async function bringIn(
  session: Session,
  what: readonly string[],
  options: BringOptions,
  leaveNote: LeaveNote,
): Promise<MoveResult> {
  const answer = await session.bring(what, options)
  if (session.log.agent === undefined || answer.outcome === "refused" || answer.findings === undefined) return answer
  const { findings } = answer
  if (findings.note === "") return answer
  if (options.dryRun !== true)
    leaveNote(sanitise(`Found on another branch, “${findings.name}”, and not verified:\n${findings.note}`))
  return { ...answer, findings: { ...findings, asNote: true } }
}
