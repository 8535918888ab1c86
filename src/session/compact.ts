// Compact: a summary takes the place of the older part of the path. An operation, so that undo un-compacts.
import {
  COMPACTION_LIMITS,
  type CompactionLimits,
  type CompactionPlan,
  planCompaction,
} from "../history/plan-compact.ts"
import { entryId } from "../history/tree.ts"
import type { Failure } from "../model/failure.ts"
import type { EntryId, RecordId } from "../model/id.ts"
import type { Author, CompactionRecord } from "../model/record.ts"
import { busy, type Desk, notice, recordMove } from "./desk.ts"

export interface CompactOptions {
  /** Makes the summary of what the plan replaces. An empty one is a failed one. */
  summarise(plan: CompactionPlan): Promise<string> | string
  cause?: CompactionRecord["cause"]
  focus?: string
  /** How large the context was, and is with this summary. */
  tokens?(summary: string, plan: CompactionPlan): NonNullable<CompactionRecord["tokens"]>
  /** What is left out stays as it is by default. */
  limits?: Partial<CompactionLimits>
  by?: Author
}

export type CompactResult =
  | { outcome: "compacted"; operation: RecordId; entry: EntryId; replaced: number }
  | { outcome: "refused"; failure: Failure }

export async function compact(desk: Desk, options: CompactOptions): Promise<CompactResult> {
  notice(desk)
  const failure = busy(desk)
  if (failure !== undefined) return { outcome: "refused", failure }
  const planned = planCompaction(desk.history, desk.head, { ...COMPACTION_LIMITS, ...options.limits })
  if (!planned.ok) return { outcome: "refused", failure: planned.failure }
  const { plan } = planned
  const summary = (await options.summarise(plan)).trim()
  if (summary === "") {
    const hint = "Try again, or give a focus: what the summary must not lose."
    return { outcome: "refused", failure: { code: "invalid", problem: "The summary is empty.", hint } }
  }
  const entry: CompactionRecord = {
    id: desk.ids.entry(),
    type: "compaction",
    parent: entryId(desk.history, plan.head),
    at: desk.now(),
    summary,
    prompts: plan.prompts,
    keepFrom: entryId(desk.history, plan.keepFrom),
    cause: options.cause ?? "person",
  }
  if (options.tokens !== undefined) entry.tokens = options.tokens(summary, plan)
  if (options.focus !== undefined) entry.focus = options.focus
  const move = { kind: "compact" as const, from: plan.head }
  const operation = await recordMove(desk, move, entry.id, options.by ?? "person", [entry])
  return { outcome: "compacted", operation, entry: entry.id, replaced: plan.replaced.length }
}
