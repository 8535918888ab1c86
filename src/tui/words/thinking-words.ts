// How much the model thinks, in words; `default` gives the choice back to the configuration and the model.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { parseThinking, THINKING_LEVELS, type ThinkingLevel } from "../../model/thinking.ts"

/** What a person can type. */
export const TYPED_LEVELS: readonly string[] = ["default", ...THINKING_LEVELS]

export const THINK_USE = `/think ${TYPED_LEVELS.join("|")}`

/** What a person typed after `/think`; undefined for the default. Throws `invalid` if there is no such level. */
export function typedLevel(typed: string): ThinkingLevel | undefined {
  if (TYPED_LEVELS.includes(typed)) return parseThinking(typed)
  const problem = `There is no thinking level "${typed}".`
  throw new RetconError({ code: "invalid", problem, advice: `Levels: ${TYPED_LEVELS.join(", ")}` })
}

export function thinkingWords(level: ThinkingLevel | undefined): string {
  return level ?? "as configured, or the model's default"
}
