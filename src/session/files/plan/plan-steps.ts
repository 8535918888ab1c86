// Turns steps into a plan of the workspace: what it does, or the conflicts that prevent it.
import { chain, type History } from "../../../history/tree/tree.ts"
import type { Failure } from "../../../model/failure/failure.ts"
import type { FileGaps } from "../../../model/move/file-gaps.ts"
import { blockedIn, choicesFor } from "../../../model/move/file-outcomes.ts"
import type { CommitsMade, Moved } from "../../../model/move/moved.ts"
import { KIND } from "../../../model/record/record.ts"
import type { RestorePlan, SnapshotId, Workspace } from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"
import { commitsLeft } from "../known/commits.ts"
import { withUnseen } from "../known/file-gaps.ts"
import type { FilesRequest } from "../known/files-request.ts"
import type { RestoreTarget } from "../known/restore-moment.ts"
import type { MoveRange } from "../known/unended-calls.ts"
import type { RestoreWay } from "./restore-way.ts"

export type PlannedRestore =
  | ({ ok: true; plan: RestorePlan; commits: CommitsMade[]; target: RestoreTarget } & Pick<Moved, "gaps" | "copied">)
  | { ok: false; failure: Failure; plan?: RestorePlan }

export async function planSteps(
  session: OpenSession,
  files: Workspace,
  { steps, named }: RestoreWay,
  { from, to, target, gaps }: MoveRange & { target: RestoreTarget; gaps?: FileGaps | undefined },
  request: FilesRequest & { since?: SnapshotId },
): Promise<PlannedRestore> {
  if (files.unavailable !== undefined) {
    return { ok: false, failure: { code: "no-workspace", ...files.unavailable } }
  }
  const made = await files.planRestore({ steps, ...request })
  const plan = withUnseen(withLostRepository(session.history, await named(made), request), gaps)
  if (plan.conflicts.length === 0) {
    return { ok: true, plan, commits: await commitsLeft(session, { from, to }, plan), target }
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
      ...(plan.conflicts.some(({ unseen, rounds }) => unseen === true || rounds === true) && { unseen: true as const }),
      ...(blocked.length > 0 && { blocked }),
      ...(choices.length < 3 && { choices }),
    },
    plan,
  }
}

/** The plan, with what it leaves because too little is recorded, and what comes from copies: those of `copied`. */
export function withGaps(
  session: OpenSession,
  planned: Extract<PlannedRestore, { ok: true }>,
  gaps: FileGaps | undefined,
  copied: readonly string[] = [],
): PlannedRestore {
  const fromCopies = new Set(copied)
  const paths = planned.plan.files.map(({ path }) => path).filter((path) => fromCopies.has(path))
  const { agent } = session.log
  return {
    ...planned,
    ...(gaps !== undefined && { gaps }),
    ...(paths.length > 0 && agent !== undefined && { copied: { agent, paths } }),
  }
}

/**
 * Warns if the folder's own repository existed at the target of a restore and is gone now: we cannot restore it.
 * Contract: takes time in proportion to the snapshots since then, and only if there is no repository now.
 */
function withLostRepository(
  history: History,
  plan: RestorePlan,
  { since, paths }: { since?: string; paths?: readonly string[] },
): RestorePlan {
  const isOwn = ({ path }: { path: string }) => path === ""
  if (since === undefined || paths !== undefined || plan.repositories.some(isOwn)) return plan
  for (const row of chain(history, KIND.snapshot)) {
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.snapshot !== since) continue
    const had = record.repositories?.some(isOwn) === true
    return had ? { ...plan, kept: [...plan.kept, { path: ".git", because: "lost" }] } : plan
  }
  return plan
}
