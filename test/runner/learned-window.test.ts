// How large a window is taken to be after a provider refused a request as too long.
import { expect, test } from "vitest"
import type { Model } from "../../src/provider/port/port.ts"
import { learnedWindows } from "../../src/runner/window/learned-window.ts"

const model = (window?: number) => ({ id: "vendor/model", window }) as unknown as Model

/** The window after a request of so many tokens was refused in these words. */
function windowAfter(known: number | undefined, tokens: number, said: string): number | undefined {
  const windows = learnedWindows()
  windows.refused(model(known), tokens, said)
  return windows.known(model(known)).window
}

test.each([
  ["prompt is too long: 210000 tokens > 200000 maximum", 200_000],
  ["input length and max_tokens exceed context limit: 188240 + 21333 > 200000", 200_000],
  ["This model's maximum context length is 128,000 tokens.", 128_000],
  ["The input token count (300000) exceeds the maximum number of tokens allowed (131072).", 131_072],
  ["Your request exceeded model token limit: 8192", 8_192],
  ["the request exceeds the available context size (4096 tokens)", 4_096],
  ["the context length of only 2048 tokens", 2_048],
])("a limit that a refusal names: %s", (said, window) => {
  expect(windowAfter(undefined, 210_000, said)).toBe(window)
})

test.each<[string, known: number | undefined, tokens: number, said: string, window: number | undefined]>([
  ["names none: less than what was refused", undefined, 10_000, "too long", 8_000],
  ["names none, and less was known: less than that", 9_000, 10_000, "too long", 7_200],
  ["names what was known already: the estimate was too low", 8_000, 6_000, "maximum context length is 8000", 4_800],
  ["names more than was known", 8_000, 9_000, "maximum context length is 16000", 6_400],
  ["names less than could be of use", undefined, 1_000, "maximum context length is 499", 800],
  ["names the least that is of use", undefined, 1_000, "maximum context length is 500", 500],
  ["of so little that no window can be told from it", 8_000, 600, "too long", 8_000],
])("a refusal that %s", (_, known, tokens, said, window) => {
  expect(windowAfter(known, tokens, said)).toBe(window)
})

test("each refusal makes it smaller, even for a model that was chosen before, and nothing is learned about other models", () => {
  const windows = learnedWindows()
  const chosen = windows.known(model(10_000))
  windows.refused(model(10_000), 10_000, "too long")
  windows.refused(model(10_000), 10_000, "too long")
  expect(chosen.window).toBe(6_400)
  expect(windows.known({ ...model(10_000), id: "vendor/other" }).window).toBe(10_000)
})
