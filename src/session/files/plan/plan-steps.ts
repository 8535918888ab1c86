// Turns steps into a plan of the workspace: what it does, or the conflicts that prevent it.
import type { Failure } from "../../../model/failure/failure.ts"
import { blockedIn, choicesFor } from "../../../model/move/file-outcomes.ts"
import type { CommitsMade } from "../../../model/move/moved.ts"
import type { RestorePlan, SnapshotId, Workspace } from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"
import { commitsLeft } from "../known/commits.ts"
import type { FilesRequest } from "../known/files-request.ts"
import { withLostRepository } from "../known/lost-repository.ts"
import type { RestoreTarget } from "../known/restore-moment.ts"
import type { MoveRange } from "../known/unended-calls.ts"
import type { RestoreWay } from "./restore-way.ts"

/** `unknown`: rounds whose changes no snapshot shows. `copies`: what the agent's copies leave out, if they are used. */
export type PlannedRestore =
  | { ok: true; plan: RestorePlan; commits: CommitsMade[]; target: RestoreTarget; unknown: number; copies?: string }
  | { ok: false; failure: Failure; plan?: RestorePlan }

export async function planSteps(
  session: OpenSession,
  files: Workspace,
  { steps, named }: RestoreWay,
  { from, to, target, unknown }: MoveRange & { target: RestoreTarget; unknown: number },
  request: FilesRequest & { since?: SnapshotId },
): Promise<PlannedRestore> {
  if (files.unavailable !== undefined) {
    return { ok: false, failure: { code: "no-workspace", ...files.unavailable } }
  }
  const made = await files.planRestore({ steps, ...request })
  const plan = withLostRepository(session.history, await named(made), request)
  if (plan.conflicts.length === 0) {
    return { ok: true, plan, commits: await commitsLeft(session, { from, to }, plan), target, unknown }
  }
  const paths = plan.conflicts.map((conflict) => conflict.path)
  const others = plan.conflicts.flatMap(({ path, by }) => (by === undefined ? [] : [{ path, session: by }]))
  const blocked = blockedIn(plan.conflicts).map(({ path, holds }) => ({ path, by: holds ?? path }))
  const choices = choicesFor(plan.conflicts)
  return {
    ok: false,
    failure: {
      code: "conflicts",
      paths,
      ...(others.length > 0 && { others }),
      ...(blocked.length > 0 && { blocked }),
      ...(choices.length < 3 && { choices }),
    },
    plan,
  }
}
