// Compact: a summary replaces the older part of the path. An operation, so that undo reverses it.
import {
  COMPACTION_LIMITS,
  type CompactionLimits,
  type CompactionPlan,
  planCompaction,
} from "../../history/plan/plan-compact.ts"
import { entryId, isOnPath, NONE, path } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import type { EntryId, RecordId } from "../../model/id.ts"
import type { Author, CompactionRecord, Usage } from "../../model/record/record.ts"
import { busy, inTurn, notice, noticeAll, type OpenSession, recordMove } from "../state/open-session.ts"

export interface CompactOptions {
  /** Makes the summary of what the plan replaces. An empty one counts as failed. */
  summarise(plan: CompactionPlan): Promise<string | CompactionSummary> | string | CompactionSummary
  cause?: CompactionRecord["cause"]
  focus?: string
  /** The size of the context before, and with this summary. */
  tokens?(summary: string, plan: CompactionPlan): NonNullable<CompactionRecord["tokens"]>
  /** Unset limits have their defaults. */
  limits?: Partial<CompactionLimits>
  by?: Author
}

/** A summary, and what it cost. */
export interface CompactionSummary {
  text: string
  model?: string
  usage?: Usage
}

export type CompactResult =
  | { outcome: "compacted"; operation: RecordId; entry: EntryId; replaced: number }
  | { outcome: "refused"; failure: Failure }

/** How often to try a summary, because the conversation may move meanwhile. */
const ATTEMPTS = 2

/** Contract: not called inside the session's queue. The summary may take long, and making it may use the session. */
export async function compact(session: OpenSession, options: CompactOptions): Promise<CompactResult> {
  for (let attempts = 1; ; attempts++) {
    const planned = await inTurn(session, async () => planNow(session, options))
    if (!planned.ok) return { outcome: "refused", failure: planned.failure }
    const made = await options.summarise(planned.plan)
    const summary = typeof made === "string" ? { text: made } : made
    if (summary.text.trim() === "") return { outcome: "refused", failure: NO_SUMMARY }
    const result = await inTurn(session, () => session.log.alone(() => recordNow(session, options, planned, summary)))
    if (result !== undefined) return result
    if (attempts === ATTEMPTS) return { outcome: "refused", failure: MOVED }
  }
}

const NO_SUMMARY: Failure = {
  code: "invalid",
  problem: "The summary is empty.",
  advice: "Try again, or give a focus: what the summary must not lose.",
}

const MOVED: Failure = {
  code: "invalid",
  problem: "The conversation moved while it was being summarised, so nothing was compacted.",
  advice: "Compact again where you are now.",
}

/** Checked before anyone pays for a summary. */
function notWritable({ log: { access, agent, file = "" } }: OpenSession): Failure | undefined {
  if (access === "full") return undefined
  return { code: "read-only", path: file, because: agent === undefined ? "format" : "foreign" }
}

/** What the summary is for, and its turn: a turn that was stopped meanwhile records nothing. */
interface BegunCompaction {
  plan: CompactionPlan
  generation: number
  turn: number | undefined
}

function planNow(
  session: OpenSession,
  options: CompactOptions,
): ({ ok: true } & BegunCompaction) | { ok: false; failure: Failure } {
  notice(session)
  const failure = notWritable(session) ?? busy(session)
  if (failure !== undefined) return { ok: false, failure }
  const planned = planCompaction(session.history, session.head, { ...COMPACTION_LIMITS, ...options.limits })
  if (!planned.ok) return planned
  const { log, running, epoch } = session
  return { ok: true, plan: planned.plan, generation: log.generation, turn: running ? epoch : undefined }
}

/** Undefined if the summary no longer describes our path. */
async function recordNow(
  session: OpenSession,
  options: CompactOptions,
  { plan, generation, turn }: BegunCompaction,
  { text, model, usage }: CompactionSummary,
): Promise<CompactResult | undefined> {
  noticeAll(session)
  const failure = busy(session)
  if (failure !== undefined) return { outcome: "refused", failure }
  if (turn !== undefined && session.epoch !== turn) return { outcome: "refused", failure: { code: "turn-ended" } }
  const { history, head } = session
  if (session.log.generation !== generation || !isOnPath(history, plan.head, head)) return undefined
  // The summary does not cover what was said while it was made, so that stays verbatim.
  const [since = NONE] = path(history, head, plan.head)
  const entry: CompactionRecord = {
    id: session.ids.entry(),
    type: "compaction",
    parent: entryId(history, head),
    at: session.now(),
    summary: text.trim(),
    prompts: plan.prompts,
    keepFrom: entryId(history, plan.keepFrom === NONE ? since : plan.keepFrom),
    cause: options.cause ?? "person",
  }
  if (options.tokens !== undefined) entry.tokens = options.tokens(entry.summary, plan)
  if (model !== undefined) entry.model = model
  if (usage !== undefined) entry.usage = usage
  if (options.focus !== undefined) entry.focus = options.focus
  const move = { kind: "compact" as const, from: head }
  const operation = await recordMove(session, move, entry.id, options.by ?? "person", [entry])
  return { outcome: "compacted", operation, entry: entry.id, replaced: plan.replaced.length }
}
