// What a series of requests sends: tokens in total, and what they cost if the provider caches prefixes.
import type { StepRequest } from "../../src/provider/port/port.ts"

const READ_PRICE = 0.1
const WRITE_PRICE = 1.25

/** Four characters per token. A prefix of any earlier request is cached, block by block. */
export function sentIn(requests: readonly StepRequest[]): { tokens: number; cost: number } {
  const cached = new Set<string>()
  let [tokens, cost] = [0, 0]
  for (const request of requests) {
    let prefix = ""
    for (const block of blocksOf(request)) {
      prefix += block
      const size = block.length / 4
      tokens += size
      cost += size * (cached.has(prefix) ? READ_PRICE : WRITE_PRICE)
      cached.add(prefix)
    }
  }
  return { tokens: Math.round(tokens), cost: Math.round(cost) }
}

function blocksOf({ messages, tools }: StepRequest): string[] {
  return [JSON.stringify(tools), ...messages.flatMap(({ content }) => content.map((part) => JSON.stringify(part)))]
}
