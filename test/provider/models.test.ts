import { expect, test } from "vitest"
import { isLoopback } from "../../src/provider/catalogue/loopback.ts"
import { MODEL_FACTS } from "../../src/provider/catalogue/model-data.ts"
import { factsOf, idsNamed } from "../../src/provider/catalogue/models.ts"
import { PRESETS } from "../../src/provider/catalogue/presets.ts"

test.each([
  ["anthropic/claude-sonnet-4-5", 200_000],
  ["anthropic/claude-sonnet-4-5-20250929", 200_000],
  ["openai/gpt-5-2025-08-07", 400_000],
  ["openrouter/anthropic/claude-sonnet-4.5", 200_000],
  ["openrouter/openai/gpt-4.1:nitro", 1_047_576],
  ["ollama/qwen3:8b", undefined],
  ["openai/gpt-5-turbo-ultra", undefined],
])("%s has a window of %s", (id, window) => {
  expect(factsOf(id).window).toBe(window)
})

test("configuration overrides single facts and adds unknown models", () => {
  const overrides = { "ollama/qwen3": { window: 32_768 }, "openai/gpt-4.1": { maxOutput: 1_000 } }
  expect(factsOf("ollama/qwen3", overrides)).toEqual({ window: 32_768 })
  expect(factsOf("openai/gpt-4.1", overrides)).toMatchObject({ window: 1_047_576, maxOutput: 1_000 })
})

test("the data makes sense: output fits into the window, and cached input costs less", () => {
  const senseless = [...MODEL_FACTS].filter(([, { window = 0, maxOutput = 0, price }]) => {
    if (window < maxOutput) return true
    return price !== undefined && (price.output <= price.input || (price.cacheRead ?? 0) >= price.input)
  })
  expect(senseless).toEqual([])
})

test("a name alone is found when it is known", () => {
  expect(idsNamed("claude-opus-5")).toEqual(["anthropic/claude-opus-5"])
  expect(idsNamed("nobody")).toEqual([])
})

test("every preset that is chosen by its key has a model to use", () => {
  const remote = Object.entries(PRESETS).filter(([, preset]) => !isLoopback(preset.baseUrl))
  expect(remote.filter(([, preset]) => preset.keys.length === 0 || preset.model === undefined)).toEqual([])
})
