// The ends of branches that a person might want to go to.
import { ROLES } from "../../model/record/origin.ts"
import { KIND } from "../../model/record/record.ts"
import { type History, isOnPath, NONE, type Row } from "./tree.ts"

/**
 * Where each branch ends, oldest first. A branch ends before prompts at its end that nobody answered, such as one that
 * was withdrawn, and is left out if nothing else is in it. The head is always an end if nothing continues it.
 */
export function liveTips(history: History, head: Row): Row[] {
  const ends = new Set<Row>()
  const shortened = new Set<Row>()
  for (const tip of history.tips()) {
    const end = tip === head ? tip : answeredEnd(history, tip)
    if (end === tip) ends.add(end)
    else if (end !== NONE) shortened.add(end)
  }
  for (const end of [...shortened].sort((a, b) => b - a)) {
    if (![...ends].some((other) => other > end && isOnPath(history, end, other))) ends.add(end)
  }
  return [...ends].sort((a, b) => a - b)
}

/** The entry before the last prompts of a branch, if only marks and settings follow them; NONE if nothing is before them. */
function answeredEnd(history: History, tip: Row): Row {
  let end = tip
  for (let row = tip; row !== NONE; row = history.parent(row)) {
    if (history.isPrompt(row)) end = history.parent(row)
    else if (isAnswer(history, row)) return end
  }
  return end === tip ? tip : NONE
}

function isAnswer(history: History, row: Row): boolean {
  const kind = history.kind(row)
  if (kind === KIND.message) return ROLES[history.role(row)] !== "system"
  return kind === KIND.note || kind === KIND.compaction
}
