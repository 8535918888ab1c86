// How much a model is to think before it answers. Each vendor has words of its own for these.

export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const

export type ThinkingLevel = (typeof THINKING_LEVELS)[number]

/** The key of the state that holds it: it follows the path, as the model does. */
export const THINKING_KEY = "thinking"

export function parseThinking(value: unknown): ThinkingLevel | undefined {
  return THINKING_LEVELS.find((level) => level === value)
}
