// How much the model thinks, in words; `default` gives the choice back to the configuration and the model.
import { THINKING_LEVELS, type ThinkingLevel } from "../../model/thinking.ts"

export const DEFAULT_THINKING = "default"

export const THINK_USE = `/think ${[DEFAULT_THINKING, ...THINKING_LEVELS].join("|")}`

export function thinkingWords(level: ThinkingLevel | undefined): string {
  return level ?? "as configured, or the model's default"
}
