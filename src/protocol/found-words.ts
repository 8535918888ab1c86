// What is to be said of a search's answer as a whole: before the sessions, and after them.
import { count } from "../model/text/amounts.ts"
import { sanitiseLine } from "../model/text/sanitise.ts"
import type { FindAnswer } from "./library.ts"

/** Undefined where there is nothing to say. */
export function foundWords(
  answer: Omit<FindAnswer, "skipped" | "unreadable">,
): [before: string | undefined, after: string | undefined] {
  const { sessions, total, how, complete, next } = answer
  const many = count(total, "session")
  const partly = complete ? "" : " The time was over before everything was read: there may be better ones."
  if (sessions.length === 0) return [undefined, partly.trim() || undefined]
  const shown = next === null && sessions.length === total ? "" : `${many} found, ${sessions.length} shown.`
  return [headline(how, answer.missing), `${shown}${partly}`.trim() || undefined]
}

function headline(how: FindAnswer["how"], missing: readonly string[]): string | undefined {
  if (how === "words") return undefined
  if (how === "inside") return "Only inside longer words:"
  const nobody =
    missing.length === 0 ? "" : ` None of these has ${missing.map((word) => `"${sanitiseLine(word)}"`).join(", ")}.`
  return `No message has all of these words; the closest:${nobody}`
}
