// Reads the answer to a question where answers are typed as lines.
import type { Approval } from "../model/approval.ts"
import type { Grant } from "../model/grant.ts"
import { GRANT_KEYS } from "./question.ts"

/** The reply to a line that is neither yes nor no. */
export const UNCLEAR = "That is neither yes nor no, so nothing is allowed yet."

/**
 * Contract: only a line that is nothing but an answer allows anything. A line that begins like a yes and continues is
 * unclear (undefined), so the question is asked again. Anything else refuses, and is the reason.
 */
export function typedAnswer(line: string, grants: readonly Grant[]): Approval | undefined {
  const said = line.trim()
  const word = said.toLowerCase()
  if (/^(?:y|yes|once)$/.test(word)) return { answer: "once" }
  const grant = grants.find(({ id }) => GRANT_KEYS[id] === word || (id === "this" && /^s(?:ession)?$/.test(word)))
  if (grant !== undefined) return { answer: "session", grant: grant.id }
  if (/^(?:y|yes|yeah|yep|yup|ok|okay|sure|fine|once|always|allow)\b/.test(word)) return undefined
  const reason = said.replace(/^no?(?:[,.:;]?\s+|[,.:;]?$)/i, "")
  return reason === "" ? { answer: "no" } : { answer: "no", reason }
}
