// Compaction: asks the model for a summary of the conversation as it stands, and makes it the new beginning.
import { keepInFile, outputFile } from "../agent/port/output.ts"
import {
  COMPACTION_LIMITS,
  type CompactionLimits,
  type CompactionPlan,
  planCompaction,
} from "../history/plan/plan-compact.ts"
import { path } from "../history/tree/path.ts"
import { NONE } from "../history/tree/tree.ts"
import { wordsFor } from "../model/failure/failure-words.ts"
import type { CompactionRecord } from "../model/record/record.ts"
import type { CompactResult } from "../session/operations/compact.ts"
import { type AskParts, askAbout } from "./ask.ts"
import { contextSize, entryTokens, fixedTokens } from "./context-size.ts"
import type { TurnParts } from "./parts.ts"
import { summaryQuestion } from "./summary.ts"
import { summaryReport } from "./summary-report.ts"
import { compactsAt } from "./threshold.ts"
import { toTokens } from "./transcript.ts"

export type Compacted =
  | {
      outcome: "compacted"
      result: Extract<CompactResult, { outcome: "compacted" }>
      messages: number
      missing: string[]
    }
  | { outcome: "nothing" }
  | { outcome: "failed"; problem: string }

export type CompactParts = AskParts & Pick<TurnParts, "emit" | "limits" | "root">

export interface CompactWish {
  cause: CompactionRecord["cause"]
  focus?: string
  /** The last compaction did not help: nothing is kept word for word but the prompt that is worked on. */
  hard?: boolean
}

/** At the threshold, a compaction that frees less than this part of what may be used is not made. */
const LEAST_FREED = 0.2
/** What a summary is taken to cost before it is there. */
const SUMMARY_TOKENS = 1_000

interface Whole {
  file: string
  text: string
}

/** What is kept word for word must leave room in a small window, or a compaction would not help. */
function limitsFor(parts: CompactParts, hard: boolean, wholes: Whole[] = []): CompactionLimits {
  const { tokens, model, session, root } = parts
  const full = compactsAt(model.window, parts.limits) ?? Number.POSITIVE_INFINITY
  const free = Math.max(full / 5, full - fixedTokens(session.history, session.headRow, tokens, parts.tools))
  const { keepTokens, promptTokens } = COMPACTION_LIMITS
  return {
    tokens,
    keepRounds: hard ? 0 : (parts.limits.keepRounds ?? COMPACTION_LIMITS.keepRounds),
    keepTokens: Math.min(keepTokens, Math.floor(free / 4)),
    promptTokens: hard ? 0 : Math.min(promptTokens, Math.floor(free / 8)),
    taskTokens: Math.floor(free / (hard ? 8 : 2)),
    again: hard,
    shorten(text, most, entry) {
      const file = outputFile(root.scratch, `message-${session.history.id(entry)}`)
      wholes.push({ file, text })
      const words = `<system>This message is shortened. All of it is in ${file}; read the part you need.</system>`
      return `${toTokens(text, Math.max(0, most - tokens(words)), tokens)}\n${words}`
    },
  }
}

/** Whether there is anything that a compaction now would replace. */
export function hasToCompact(parts: CompactParts): boolean {
  const { session } = parts
  return planCompaction(session.history, session.headRow, limitsFor(parts, false)).ok
}

/** Whether a compaction now would make so much room that it is worth its price. `size`: of the context as it is. */
export function isWorthwhile(parts: CompactParts, size: number): boolean {
  const { session, tokens, model, tools } = parts
  const planned = planCompaction(session.history, session.headRow, limitsFor(parts, false))
  if (!planned.ok) return false
  const fixed = fixedTokens(session.history, session.headRow, tokens, tools)
  const after = fixed + Math.min(SUMMARY_TOKENS, size / 4) + sizeAfter(parts, "", planned.plan)
  return size - after >= LEAST_FREED * (compactsAt(model.window, parts.limits) ?? 0)
}

export async function compactNow(parts: CompactParts, wish: CompactWish, signal: AbortSignal): Promise<Compacted> {
  const { session, emit } = parts
  const { cause, focus, hard = false } = wish
  emit({ type: "compaction-start", cause })
  const size = contextSize(session.history, session.headRow, parts.tokens, parts.tools)
  const before = size.used + size.pending
  let problem = ""
  let plan: CompactionPlan | undefined
  let summary = ""
  const wholes: Whole[] = []
  const result = await session.compact({
    cause,
    by: cause === "person" ? "person" : "agent",
    limits: limitsFor(parts, hard, wholes),
    ...(focus === undefined ? {} : { focus }),
    summarise: async (planned) => {
      plan = planned
      const asked = await askAbout(parts, summaryQuestion(focus), signal)
      if (!asked.ok) {
        problem = asked.problem
        return ""
      }
      summary = asked.text
      for (const { file, text } of wholes) await keepInFile(file, text)
      return { text: summary, model: parts.model.id, usage: asked.usage }
    },
    tokens: (text, planned) => ({ before, after: sizeAfter(parts, text, planned) }),
  })
  if (result.outcome === "refused") {
    const nothing = result.failure.code === "nothing-to-compact"
    const text = problem === "" ? wordsFor(result.failure).message : problem
    emit({ type: "compaction-end", cause, entry: null, messages: 0, missing: [], problem: text })
    return nothing ? { outcome: "nothing" } : { outcome: "failed", problem: text }
  }
  const report = summaryReport(session.history, plan?.replaced ?? [], summary)
  const { messages, missing } = report
  emit({ type: "compaction-end", cause, entry: result.entry, messages, missing })
  return { outcome: "compacted", result, messages, missing }
}

/** The summary, the prompts kept, and the tail: an estimate, until the provider reports the next answer's usage. */
function sizeAfter(parts: CompactParts, summary: string, plan: CompactionPlan): number {
  const { history } = parts.session
  const kept = plan.keepFrom === NONE ? [] : path(history, plan.head, history.parent(plan.keepFrom))
  const tail = kept.reduce((sum, row) => sum + entryTokens(history, row, parts.tokens), 0)
  return [summary, ...plan.prompts].reduce((sum, text) => sum + parts.tokens(text), tail)
}
