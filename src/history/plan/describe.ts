// What a dry run says about a plan's cost: what stays in the model's prompt cache, and what is sent again.
import type { Cost } from "../../model/move/moved.ts"
import { textTokens } from "../../model/tokens.ts"
import { beginningAt } from "../context/context.ts"
import { contextTokens } from "../context/context-tokens.ts"
import { commonAncestor } from "../tree/path.ts"
import { type History, NONE, type Row } from "../tree/tree.ts"
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
