// Warns if the folder's own repository existed at the target of a restore and is gone now: we cannot restore it.
import { chain } from "../../../history/tree/labels.ts"
import type { History } from "../../../history/tree/tree.ts"
import { KIND } from "../../../model/record/kind.ts"
import type { RestorePlan } from "../../../workspace/port.ts"

/** Contract: takes time in proportion to the snapshots since then, and only if there is no repository now. */
export function withLostRepository(
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
