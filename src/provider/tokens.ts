// How many tokens a text is, before a provider says so: an estimate, corrected by what providers reported.
import type { Part } from "../model/part.ts"
import { unreachable } from "../model/unreachable.ts"
import type { ModelMessage } from "./port.ts"

export type CountTokens = (text: string) => number

/** Rough, and without a table. */
export const byLength: CountTokens = (text) => Math.ceil(text.length / 4)

/** How much the estimates of a model are off. Kept by whoever keeps the conversation; nothing is stored here. */
export interface Correction {
  /** Reported tokens for each estimated one. */
  factor: number
  samples: number
}

export const NO_CORRECTION: Correction = { factor: 1, samples: 0 }

/** The tokenizer is quadratic in long runs without a space, so it is fed slices. */
const SLICE = 2_000
const PER_MESSAGE = 4
const PER_IMAGE = 1_500
const PER_FILE = 3_000
/** Reports about less than this say little. */
const SMALL = 200

/** Loads the tokenizer when it is first needed: its tables are large. */
export async function loadCounter(): Promise<CountTokens> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base")
  // Text that looks like a special token is text.
  const options = { disallowedSpecial: new Set<string>() }
  return (text) => {
    let tokens = 0
    for (const slice of slicesOf(text)) tokens += countTokens(slice, options)
    return tokens
  }
}

export function estimateTokens(
  messages: readonly ModelMessage[],
  count: CountTokens,
  correction = NO_CORRECTION,
): number {
  let tokens = 0
  for (const { content } of messages) {
    tokens += PER_MESSAGE
    for (const part of content) tokens += partTokens(part, count)
  }
  return Math.ceil(tokens * correction.factor)
}

/**
 * What a report teaches. `estimated` is the uncorrected estimate of what `reported` counts.
 * The first reports count most; later ones move the factor slowly.
 */
export function learn(correction: Correction, estimated: number, reported: number): Correction {
  if (estimated < SMALL || reported <= 0) return correction
  const ratio = Math.min(4, Math.max(0.25, reported / estimated))
  const weight = Math.max(0.2, 1 / (correction.samples + 1))
  return { factor: correction.factor + (ratio - correction.factor) * weight, samples: correction.samples + 1 }
}

export function partTokens(part: Part, count: CountTokens): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return count(part.text ?? "")
    case "tool-call":
      return PER_MESSAGE + count(part.name) + count(JSON.stringify(part.input))
    case "tool-result": {
      const media = (part.media ?? []).reduce((sum, item) => sum + partTokens(item, count), 0)
      return PER_MESSAGE + count(part.output ?? "") + media
    }
    case "image":
      return PER_IMAGE
    case "file":
      return PER_FILE
    case "unknown":
      return 0
    default:
      return unreachable(part)
  }
}

function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + SLICE, text.length)
    const splitsPair = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
    if (splitsPair) end--
    yield text.slice(start, end)
    start = end
  }
}
