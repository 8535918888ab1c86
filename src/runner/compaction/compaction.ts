// Compaction: asks the model for a summary of the conversation so far, and makes it the new beginning.
import { keepInFile, outputFile } from "../../agent/port/output.ts"
import {
  COMPACTION_LIMITS,
  type CompactionLimits,
  type CompactionPlan,
  planCompaction,
} from "../../history/plan/plan-compact.ts"
import { type History, NONE, path, type Row } from "../../history/tree/tree.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { type CompactionRecord, type Part, plainText } from "../../model/record/record.ts"
import type { CompactResult } from "../../session/operations/compact.ts"
import type { TurnBudget, TurnMachine, TurnPerson } from "../port/turn-deps.ts"
import { contextSize, entryTokens, fixedTokens } from "../window/context-size.ts"
import { toTokens } from "../window/conversation-text.ts"
import { compactsAt } from "../window/threshold.ts"
import { type AskDeps, askAbout } from "./ask.ts"
import { summaryQuestion } from "./summary-request.ts"

export type Compacted =
  | {
      outcome: "compacted"
      result: Extract<CompactResult, { outcome: "compacted" }>
      messages: number
      missing: string[]
    }
  | { outcome: "nothing" }
  | { outcome: "failed"; problem: string }

export type CompactDeps = AskDeps & Pick<TurnBudget, "limits"> & Pick<TurnMachine, "root"> & Pick<TurnPerson, "emit">

export interface CompactWish {
  cause: CompactionRecord["cause"]
  focus?: string
  /** The last compaction did not help: only the current prompt is kept verbatim. */
  hard?: boolean
}

/** At the threshold, a compaction must free at least this part of the usable window. */
const LEAST_FREED = 0.2
/** A compaction that a person asks for must free at least this part of the conversation. */
const LEAST_FREED_ASKED = 0.1
/** The assumed size of a summary that does not exist yet. */
const SUMMARY_TOKENS = 1_000

interface Whole {
  file: string
  text: string
}

/** What is kept verbatim must leave room in a small window, or a compaction would not help. */
function limitsFor(deps: CompactDeps, hard: boolean, wholes: Whole[] = []): CompactionLimits {
  const { tokens, model, session, root } = deps
  const full = compactsAt(model.window, deps.limits) ?? Number.POSITIVE_INFINITY
  const free = Math.max(full / 5, full - fixedTokens(session.history, session.headRow, tokens, deps.tools))
  const { keepTokens, promptTokens } = COMPACTION_LIMITS
  return {
    tokens,
    keepRounds: hard ? 0 : (deps.limits.keepRounds ?? COMPACTION_LIMITS.keepRounds),
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

/** Whether a compaction now would make the conversation noticeably smaller. */
export function hasToCompact(deps: CompactDeps): boolean {
  const { tokens } = deps
  const { history, headRow } = deps.session
  const planned = planCompaction(history, headRow, limitsFor(deps, false))
  if (!planned.ok) return false
  const { replaced, prompts } = planned.plan
  const before = replaced.reduce((sum, row) => sum + entryTokens(history, row, tokens), 0)
  const after = prompts.reduce((sum, text) => sum + tokens(text), Math.min(SUMMARY_TOKENS, before / 4))
  return before - after >= LEAST_FREED_ASKED * (before + tailTokens(deps, planned.plan))
}

/** Whether a compaction now would free enough to be worth its cost. `size`: of the present context. */
export function isWorthwhile(deps: CompactDeps, size: number): boolean {
  const { session, model } = deps
  const planned = planCompaction(session.history, session.headRow, limitsFor(deps, false))
  if (!planned.ok) return false
  const after = Math.min(SUMMARY_TOKENS, size / 4) + sizeAfter(deps, "", planned.plan)
  return size - after >= LEAST_FREED * (compactsAt(model.window, deps.limits) ?? 0)
}

export async function compactNow(deps: CompactDeps, wish: CompactWish, signal: AbortSignal): Promise<Compacted> {
  const { session, emit } = deps
  const { cause, focus, hard = false } = wish
  if (cause === "person" && !hasToCompact(deps)) return { outcome: "nothing" }
  emit({ type: "compaction-start", cause })
  const size = contextSize(session.history, session.headRow, deps.tokens, deps.tools)
  const before = size.used + size.pending
  let problem = ""
  let plan: CompactionPlan | undefined
  let summary = ""
  const wholes: Whole[] = []
  const result = await session.compact({
    cause,
    by: cause === "person" ? "person" : "agent",
    limits: limitsFor(deps, hard, wholes),
    ...(focus === undefined ? {} : { focus }),
    summarise: async (planned) => {
      plan = planned
      const asked = await askAbout(deps, summaryQuestion(focus), signal)
      if (!asked.ok) {
        problem = asked.problem
        return ""
      }
      summary = asked.text
      for (const { file, text } of wholes) await keepInFile(file, text)
      return { text: summary, model: deps.model.id, usage: asked.usage }
    },
    tokens: (text, planned) => ({ before, after: sizeAfter(deps, text, planned) }),
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

/** An estimate until the next answer's usage: system prompt and tools, the summary, the prompts kept, and the tail. */
function sizeAfter(deps: CompactDeps, summary: string, plan: CompactionPlan): number {
  const { session, tokens, tools } = deps
  const fixed = fixedTokens(session.history, session.headRow, tokens, tools)
  return [summary, ...plan.prompts].reduce((sum, text) => sum + tokens(text), fixed + tailTokens(deps, plan))
}

function tailTokens({ session: { history }, tokens }: CompactDeps, { head, keepFrom }: CompactionPlan): number {
  const kept = keepFrom === NONE ? [] : path(history, head, history.parent(keepFrom))
  return kept.reduce((sum, row) => sum + entryTokens(history, row, tokens), 0)
}

interface SummaryReport {
  messages: number
  charactersBefore: number
  charactersAfter: number
  /** Paths, numbers and names that the summary does not mention, most frequent first. */
  missing: string[]
}

const MOST = 20

/**
 * Matches only at the start of a word, with bounds: a megabyte without a space is read once, not once per character.
 */
const PATH =
  /(?<![\w.-])(?:[\w.-]{1,255}\/){1,64}[\w.-]{0,255}\w|(?<![\w-])[\w-]{1,255}\.(?:ts|tsx|js|mjs|py|rs|go|java|c|h|cpp|md|json|ya?ml|toml|css|html|sh|sql)\b/g

const NUMBER = /\b\d{3,}\b/g
const NAME = /\b(?:[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[a-z]+(?:_[a-z0-9]+)+)\b/g

/** What was said and what was called, but not what tools printed: most of that is not worth keeping. */
function saidIn(content: readonly Part[]): string {
  const inputs = content.flatMap((part) => (part.type === "tool-call" ? [JSON.stringify(part.input)] : []))
  return [plainText(content), ...inputs].join("\n")
}

/** What a summary replaced, and what it does not mention, so that a person can judge it. */
export function summaryReport(history: History, replaced: readonly Row[], summary: string): SummaryReport {
  const texts = replaced.flatMap((row) => {
    const record = history.record(row)
    return record?.type === "message" ? [saidIn(record.content)] : []
  })
  const before = texts.join("\n")
  const counts = new Map<string, number>()
  for (const pattern of [PATH, NUMBER, NAME]) {
    for (const [found] of before.matchAll(pattern)) counts.set(found, (counts.get(found) ?? 0) + 1)
  }
  const missing = [...counts]
    .filter(([found]) => !summary.includes(found))
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST)
    .map(([found]) => found)
  return { messages: texts.length, charactersBefore: before.length, charactersAfter: summary.length, missing }
}
