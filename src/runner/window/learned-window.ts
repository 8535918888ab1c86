// How large a model's window really is, learned from refusals, because it may be unknown or our table wrong.
import type { Model } from "../../provider/port/port.ts"

/** How vendors name the limit that a request was over. */
const LIMITS = [
  /> ?(\d[\d,]*)/, // Anthropic: "210000 tokens > 200000 maximum", "188240 + 21333 > 200000"
  /maximum (?:context|prompt) length (?:is|of) (\d[\d,]*)/i, // OpenAI, vLLM, DeepSeek, xAI
  /maximum number of tokens allowed \((\d[\d,]*)\)/i, // Gemini
  /token limit: (\d[\d,]*)/i, // Moonshot
  /context size \((\d[\d,]*)/i, // llama.cpp
  /context length of (?:only )?(\d[\d,]*)/i, // LM Studio
]

/** When a refusal names no limit, the window is taken to be this much of what was refused. */
const PART_OF_REFUSED = 0.8
/** No window is smaller than this: nothing could be done in it. */
const LEAST_WINDOW = 500

export interface LearnedWindows {
  /** The same model, with the smallest window that is known of it at each moment. */
  known(model: Model): Model
  /** A request of about so many tokens was over the limit; `said` is how the provider put it. */
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
      // A limit that is named and was known already does not explain the refusal: our estimates are too low.
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
