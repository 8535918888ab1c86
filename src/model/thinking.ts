// How much a model is to think before it answers. Each vendor has words of its own for these.

export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const

export type ThinkingLevel = (typeof THINKING_LEVELS)[number]

export function parseThinking(value: unknown): ThinkingLevel | undefined {
  return THINKING_LEVELS.find((level) => level === value)
}
