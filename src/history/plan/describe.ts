// What a dry run says about a plan's cost: what stays in the model's prompt cache, and what is sent again.
import type { Cost } from "../../model/move/moved.ts"
import { KIND, type Usage } from "../../model/record/record.ts"
import { recordTokens } from "../../model/record/record-tokens.ts"
import { textTokens } from "../../model/tokens.ts"
import { beginningAt, keptTail } from "../context/context.ts"
import { commonAncestor, type History, NONE, type Row } from "../tree/tree.ts"
import type { MovePlan } from "./plan.ts"

/**
 * Compares the contexts before and after: the beginning they share stays in the prompt cache. Contract: costs the
 * entries that only one of the two has, and those since a provider last counted tokens.
 */
export function costOf(history: History, plan: Pick<MovePlan, "from" | "to">): Cost {
  const tokens = contextTokens(history, plan.to)
  const shared = sharedBeginning(history, plan.from, plan.to)
  const cachedTokens = Math.min(shared.tokens, tokens)
  return { cached: shared.messages, cachedTokens, againTokens: tokens - cachedTokens }
}

function sharedBeginning(history: History, from: Row, to: Row): { messages: number; tokens: number } {
  if (history.system(from) !== history.system(to)) return { messages: 0, tokens: 0 }
  const beginning = beginningAt(history, to)
  const system = typeof beginning?.value === "string" ? beginning.value : undefined
  const compaction = history.compaction(to)
  if (compaction !== history.compaction(from)) {
    return { messages: system === undefined ? 0 : 1, tokens: textTokens(system ?? "") }
  }
  const common = commonAncestor(history, from, to)
  if (common === NONE) return { messages: system === undefined ? 0 : 1, tokens: textTokens(system ?? "") }
  const messages = history.messages(common) - (compaction === NONE ? 0 : history.messages(compaction) - 1)
  return { messages: messages + (system === undefined ? 0 : 1), tokens: contextTokens(history, common) }
}

/** How many uncounted messages to read; the others are assumed to have the same average length. */
const MOST_LOOKED = 500

/**
 * Estimates the tokens of a context without building it: a provider has already counted most of it. Contract: reads
 * only the entries since the last answer with a token count, and at most MOST_LOOKED messages.
 */
export function contextTokens(history: History, head: Row): number {
  const compaction = history.compaction(head)
  let uncounted = 0
  let looked = 0
  /** How many of those are in the answer that is being looked at. Only one piece of an answer has the count of the whole. */
  let answer: { name: string | undefined; tokens: number } = { name: undefined, tokens: 0 }
  for (let row = head; row !== NONE && row !== compaction; row = history.parent(row)) {
    const kind = history.kind(row)
    if (kind !== KIND.message && kind !== KIND.note && kind !== KIND.merge) continue
    const record = history.record(row)
    if (record?.type === "message" && record.role === "assistant" && record.usage !== undefined) {
      const again = record.answer !== undefined && record.answer === answer.name ? answer.tokens : 0
      return counted(record.usage) + uncounted - again
    }
    const tokens = recordTokens(record)
    uncounted += tokens
    if (record?.type === "message" && record.answer !== undefined) {
      answer = { name: record.answer, tokens: tokens + (record.answer === answer.name ? answer.tokens : 0) }
    }
    if (++looked === MOST_LOOKED) return Math.ceil((uncounted / looked) * messagesSince(history, head, compaction))
  }
  return uncounted + beginning(history, head)
}

function messagesSince(history: History, head: Row, compaction: Row): number {
  return history.messages(head) - (compaction === NONE ? 0 : history.messages(compaction))
}

/** The request and the answer. */
function counted({ input = 0, output = 0, cacheRead = 0, cacheWrite = 0 }: Usage): number {
  return input + output + cacheRead + cacheWrite
}

/** The system prompt, the summary, and the tail that a compaction kept. */
function beginning(history: History, head: Row): number {
  const system = beginningAt(history, head)?.value
  const compaction = history.compaction(head)
  const summary = compaction === NONE ? undefined : history.record(compaction)
  const kept = compaction === NONE ? [] : keptTail(history, compaction)
  const rows = kept.reduce((sum, row) => sum + recordTokens(history.record(row)), 0)
  return (typeof system === "string" ? textTokens(system) : 0) + recordTokens(summary) + rows
}
