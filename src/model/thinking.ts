// How much a model should think before it answers. Each vendor has its own words for these levels.

export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const

export type ThinkingLevel = (typeof THINKING_LEVELS)[number]

export function parseThinking(value: unknown): ThinkingLevel | undefined {
  return THINKING_LEVELS.find((level) => level === value)
}
