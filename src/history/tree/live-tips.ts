// The ends of branches that a person might want to go to.

import { KIND } from "../../model/record/kind.ts"
import { ROLES } from "../../model/record/origin.ts"
import { type History, NONE, type Row } from "./tree.ts"

/** All tips except unanswered prompts, such as one that was withdrawn. Oldest first. */
export function liveTips(history: History, head: Row): Row[] {
  return history.tips().filter((tip) => tip === head || !isUnanswered(history, tip))
}

/** Only marks and settings follow its last prompt. */
function isUnanswered(history: History, tip: Row): boolean {
  for (let row = tip; row !== NONE; row = history.parent(row)) {
    if (history.isPrompt(row)) return true
    const kind = history.kind(row)
    if (kind === KIND.message && ROLES[history.role(row)] !== "system") return false
    if (kind === KIND.note || kind === KIND.compaction) return false
  }
  return false
}
