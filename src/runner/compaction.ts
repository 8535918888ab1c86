// Compaction: asks the model for a summary of the conversation as it stands, and makes it the new beginning.
import { path } from "../history/path.ts"
import type { CompactionPlan } from "../history/plan-compact.ts"
import { COMPACTION_LIMITS, type CompactionLimits } from "../history/plan-compact.ts"
import { NONE } from "../history/tree.ts"
import { wordsFor } from "../model/failure-words.ts"
import type { CompactionRecord } from "../model/record.ts"
import type { CompactResult } from "../session/compact.ts"
import { type AskParts, askAbout } from "./ask.ts"
import { contextSize } from "./context-size.ts"
import type { TurnParts } from "./parts.ts"
import { summaryQuestion } from "./summary.ts"
import { summaryReport } from "./summary-report.ts"
import { compactsAt } from "./threshold.ts"

export type Compacted =
  | {
      outcome: "compacted"
      result: Extract<CompactResult, { outcome: "compacted" }>
      messages: number
      missing: string[]
    }
  | { outcome: "nothing" }
  | { outcome: "failed"; problem: string }

type Parts = AskParts & Pick<TurnParts, "emit" | "limits">

/** What is kept word for word must leave room in a small window, or a compaction would not help. */
function limitsFor(parts: Parts): CompactionLimits {
  const { tokens, model } = parts
  const full = compactsAt(model.window, parts.limits) ?? Number.POSITIVE_INFINITY
  const { keepRounds, keepTokens, promptTokens } = COMPACTION_LIMITS
  return {
    tokens,
    keepRounds,
    keepTokens: Math.min(keepTokens, Math.floor(full / 4)),
    promptTokens: Math.min(promptTokens, Math.floor(full / 8)),
  }
}

export async function compactNow(
  parts: Parts,
  cause: CompactionRecord["cause"],
  signal: AbortSignal,
  focus?: string,
): Promise<Compacted> {
  const { session, emit } = parts
  emit({ type: "compaction-start", cause })
  const size = contextSize(session.history, session.headRow, parts.tokens, parts.tools)
  const before = size.used + size.pending
  let problem = ""
  let plan: CompactionPlan | undefined
  let summary = ""
  const result = await session.compact({
    cause,
    by: cause === "person" ? "person" : "agent",
    limits: limitsFor(parts),
    ...(focus === undefined ? {} : { focus }),
    summarise: async (planned) => {
      plan = planned
      const asked = await askAbout(parts, summaryQuestion(focus), signal)
      if (asked.ok) summary = asked.text
      else problem = asked.problem
      return summary
    },
    tokens: (text, planned) => ({ before, after: sizeAfter(parts, text, planned) }),
  })
  if (result.outcome === "refused") {
    const nothing = result.failure.code === "nothing-to-compact"
    const text = problem === "" ? wordsFor(result.failure).message : problem
    emit({ type: "compaction-end", entry: null, messages: 0, missing: [], problem: text })
    return nothing ? { outcome: "nothing" } : { outcome: "failed", problem: text }
  }
  const report = summaryReport(session.history, plan?.replaced ?? [], summary)
  const { messages, missing } = report
  emit({ type: "compaction-end", entry: result.entry, messages, missing })
  return { outcome: "compacted", result, messages, missing }
}

/** The summary, the prompts kept, and the tail: an estimate, until the provider reports the next answer's usage. */
function sizeAfter(parts: Parts, summary: string, plan: CompactionPlan): number {
  const kept =
    plan.keepFrom === NONE ? [] : path(parts.session.history, plan.head, parts.session.history.parent(plan.keepFrom))
  const tail = kept.map((row) => JSON.stringify(parts.session.history.record(row) ?? ""))
  return [summary, ...plan.prompts, ...tail].reduce((sum, text) => sum + parts.tokens(text), 0)
}
