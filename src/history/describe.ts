// What a dry run says of a plan beyond rows: what is left, and what it costs to send the rest again.
import type { ContextMessage } from "./context.ts"
import { contextAt } from "./context.ts"
import type { MovePlan } from "./plan.ts"
import type { History } from "./tree.ts"

export interface Cost {
  /** Messages of the new context that the model has in its prompt cache already. */
  cached: number
  /** Estimated tokens of those, and of what would be sent anew. */
  cachedTokens: number
  againTokens: number
}

/** Compares the contexts before and after: what they share from the start stays in the prompt cache. */
export function costOf(history: History, plan: Pick<MovePlan, "from" | "to">): Cost {
  const before = contextAt(history, plan.from)
  const after = contextAt(history, plan.to)
  let cached = 0
  while (cached < after.length && cached < before.length && same(before[cached], after[cached])) cached++
  return {
    cached,
    cachedTokens: estimate(after.slice(0, cached)),
    againTokens: estimate(after.slice(cached)),
  }
}

function same(a: ContextMessage | undefined, b: ContextMessage | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function estimate(messages: ContextMessage[]): number {
  let characters = 0
  for (const message of messages) characters += JSON.stringify(message.content).length
  return Math.ceil(characters / 4)
}
