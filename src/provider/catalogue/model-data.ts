// Facts about common models: tokens of context and output, dollars per million tokens. Configuration overrides them.
import type { ModelFacts } from "./model-facts.ts"

type Row = [
  id: string,
  window: number,
  maxOutput: number | undefined,
  price?: [input: number, output: number, cacheRead?: number, cacheWrite?: number],
  more?: Pick<ModelFacts, "api" | "images">,
]

/** When these prices were published. */
export const PRICES_DATED = "2026-11"

/**
 * As published in November 2026; the lower price if it depends on the length of the prompt, the higher one if it
 * depends on the time of day.
 */
const ROWS: Row[] = [
  ["anthropic/claude-fable-5-1", 1_000_000, 128_000, [10, 50, 0.25, 12.5]],
  ["anthropic/claude-fable-5", 1_000_000, 128_000, [10, 50, 1, 12.5]],
  ["anthropic/claude-opus-5-5", 1_000_000, 128_000, [4, 20, 0.2, 5]],
  ["anthropic/claude-opus-5", 1_000_000, 128_000, [5, 25, 0.5, 6.25]],
  ["anthropic/claude-opus-4-8", 1_000_000, 128_000, [5, 25, 0.5, 6.25]],
  ["anthropic/claude-opus-4-7", 1_000_000, 128_000, [5, 25, 0.5, 6.25]],
  ["anthropic/claude-opus-4-6", 1_000_000, 128_000, [5, 25, 0.5, 6.25]],
  ["anthropic/claude-opus-4-5", 200_000, 64_000, [5, 25, 0.5, 6.25]],
  ["anthropic/claude-opus-4-1", 200_000, 32_000, [15, 75, 1.5, 18.75]],
  ["anthropic/claude-sonnet-5-5", 1_000_000, 128_000, [2, 10, 0.1, 2.5]],
  ["anthropic/claude-sonnet-5", 1_000_000, 128_000, [2, 10, 0.2, 2.5]],
  ["anthropic/claude-sonnet-4-6", 1_000_000, 128_000, [3, 15, 0.3, 3.75]],
  ["anthropic/claude-sonnet-4-5", 200_000, 64_000, [3, 15, 0.3, 3.75]],
  ["anthropic/claude-haiku-5-5", 1_000_000, 128_000, [0.1, 0.5, 0.01, 0.125]],
  ["anthropic/claude-haiku-4-5", 200_000, 64_000, [1, 5, 0.1, 1.25]],

  ["openai/gpt-6.1-sol", 1_050_000, 128_000, [2, 10, 0.1, 2.5], { api: "responses" }],
  ["openai/gpt-6-sol", 1_050_000, 128_000, [2, 10, 0.2, 2.5], { api: "responses" }],
  ["openai/gpt-6-luna", 1_050_000, 128_000, [0.1, 0.5, 0.01, 0.125], { api: "responses" }],
  ["openai/gpt-5.6-sol", 1_050_000, 128_000, [5, 30, 0.5, 6.25], { api: "responses" }],
  ["openai/gpt-5.6", 1_050_000, 128_000, [5, 30, 0.5, 6.25], { api: "responses" }],
  ["openai/gpt-5.2", 400_000, 128_000, [1.75, 14, 0.175]],
  ["openai/gpt-5.1", 400_000, 128_000, [1.25, 10, 0.125]],
  ["openai/gpt-5-mini", 400_000, 128_000, [0.25, 2, 0.025]],
  ["openai/gpt-5-nano", 400_000, 128_000, [0.05, 0.4, 0.005]],
  ["openai/gpt-5", 400_000, 128_000, [1.25, 10, 0.125]],
  ["openai/gpt-4.1-mini", 1_047_576, 32_768, [0.4, 1.6, 0.1]],
  ["openai/gpt-4.1", 1_047_576, 32_768, [2, 8, 0.5]],
  ["openai/gpt-4o-mini", 128_000, 16_384, [0.15, 0.6, 0.075]],
  ["openai/gpt-4o", 128_000, 16_384, [2.5, 10, 1.25]],
  ["openai/o4-mini", 200_000, 100_000, [1.1, 4.4, 0.275]],
  ["openai/o3", 200_000, 100_000, [2, 8, 0.5]],

  ["google/gemini-4-argon", 1_048_576, 65_536, [4, 20, 0.2]],
  ["google/gemini-3.8-flash", 1_048_576, 65_536, [0.75, 3.75, 0.075]],
  ["google/gemini-3.7-flash", 1_048_576, 65_536, [0.75, 3.75, 0.075]],
  ["google/gemini-3.1-pro-preview", 1_048_576, 65_536, [2, 12, 0.2]],
  ["google/gemini-2.5-pro", 1_048_576, 65_536, [1.25, 10, 0.125]],
  ["google/gemini-2.5-flash", 1_048_576, 65_536, [0.3, 2.5, 0.03]],

  ["moonshot/kimi-k3", 1_048_576, undefined, [3, 15, 0.3]],
  ["moonshot/kimi-k2.6", 262_144, 262_144],
  ["moonshot/kimi-k2.7-code", 262_144, 262_144],
  ["moonshot/kimi-k2.5", 262_144, 262_144, [0.6, 3, 0.1]],
  ["deepseek/deepseek-flash", 1_000_000, 384_000, [0.3, 1.2, 0.006]],
  ["deepseek/deepseek-v4-flash", 1_000_000, 384_000, [0.3, 1.2, 0.006]],
  ["deepseek/deepseek-v4-pro", 1_000_000, 384_000, [1.32, 3.96, 0.044], { images: false }],
  ["deepseek/deepseek-chat", 128_000, 8_192, [0.28, 0.42, 0.028], { images: false }],
  ["deepseek/deepseek-reasoner", 128_000, 64_000, [0.28, 0.42, 0.028], { images: false }],
]

export const MODEL_FACTS: ReadonlyMap<string, ModelFacts> = new Map(ROWS.map((row) => [row[0], factsOf(row)]))

function factsOf([, window, maxOutput, price, more]: Row): ModelFacts {
  const limits = { window, ...(maxOutput !== undefined && { maxOutput }) }
  if (price === undefined) return { ...limits, ...more }
  const [input, output, cacheRead, cacheWrite] = price
  const cache = { ...(cacheRead !== undefined && { cacheRead }), ...(cacheWrite !== undefined && { cacheWrite }) }
  return { ...limits, price: { input, output, ...cache }, ...more }
}
