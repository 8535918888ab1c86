// Prompts that the agent's Backtrack went back past: they are still the person's, and every list says why they are here.
import { count } from "./amounts.ts"

export const LEFT_BY_BACKTRACK = "left by the agent's Backtrack"

/** The title over such prompts. */
export function passedTitle(prompts: number): string {
  return `${count(prompts, "prompt")} of yours, ${LEFT_BY_BACKTRACK}`
}

/** After a move to before such a prompt. */
export const BACK_WHERE_ASKED =
  "The agent's Backtrack had left this prompt behind. The conversation is as it was before you sent it."
