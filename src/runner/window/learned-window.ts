// How large a model's window really is, learned from refusals, because it may be unknown or our table may be wrong.
import type { Model } from "../../provider/port/port.ts"

/** How vendors state the limit that a request exceeded. */
const LIMITS = [
  /> ?(\d[\d,]*)/, // Anthropic: "210000 tokens > 200000 maximum", "188240 + 21333 > 200000"
  /maximum (?:context|prompt) length (?:is|of) (\d[\d,]*)/i, // OpenAI, vLLM, DeepSeek, xAI
  /maximum number of tokens allowed \((\d[\d,]*)\)/i, // Gemini
  /token limit: (\d[\d,]*)/i, // Moonshot
  /context size \((\d[\d,]*)/i, // llama.cpp
  /context length of (?:only )?(\d[\d,]*)/i, // LM Studio
]

/** If a refusal states no limit, the window is assumed to be this much of what was refused. */
const PART_OF_REFUSED = 0.8
/** No window is smaller than this: it would be useless. */
const LEAST_WINDOW = 500

export interface LearnedWindows {
  /** The same model, with the smallest window known so far. */
  known(model: Model): Model
  /** A request of about this many tokens exceeded the limit; `said` is the provider's message. */
  refused(model: Model, tokens: number, said: string): void
}

export function learnedWindows(): LearnedWindows {
  const learned = new Map<string, number>()
  const windowOf = ({ id, window }: Model): number | undefined => {
    const found = learned.get(id)
    return found === undefined || window === undefined ? (found ?? window) : Math.min(found, window)
  }
  return {
    known: (model) => Object.create(model, { window: { enumerable: true, get: () => windowOf(model) } }) as Model,
    refused(model, tokens, said) {
      const before = windowOf(model) ?? Number.POSITIVE_INFINITY
      const named = limitIn(said)
      // If the stated limit was already known, it does not explain the refusal: our estimates are too low.
      const limit =
        named !== undefined && named < before ? named : Math.floor(Math.min(tokens, before) * PART_OF_REFUSED)
      if (limit >= LEAST_WINDOW) learned.set(model.id, Math.min(limit, before))
    },
  }
}

function limitIn(said: string): number | undefined {
  for (const pattern of LIMITS) {
    const found = Number(pattern.exec(said)?.[1]?.replaceAll(",", ""))
    if (found >= LEAST_WINDOW) return found
  }
  return undefined
}
