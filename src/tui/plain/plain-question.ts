// A question as lines, and the line that answers it.
import type { Grant } from "../../model/grant.ts"
import { visible } from "../../model/text/visible.ts"
import type { Approval } from "../../protocol/host.ts"
import { GRANT_KEYS, grantLines, questionLines } from "../../protocol/question.ts"
import type { Question } from "../approval.ts"

/** All of it. */
export function plainQuestion(question: Question): string {
  const { title, warnings, grants } = question
  const body = isTold(question) ? warnings.map(visible) : questionLines(question).map(({ text }) => text)
  const choices = grantLines(grants).map(({ key, text }) => `${key}: ${text}`)
  const keys = ["y (once)", ...grants.map(({ id }) => GRANT_KEYS[id]), "n", "or n and a reason"]
  return [`Question: ${visible(title)}`, ...body, ...choices, `Answer ${keys.join(", ")}.`].join("\n")
}

/** The diff of an own call was told when the call began, unless something in it could not be seen there. */
function isTold({ action, task }: Question): boolean {
  if (action.kind !== "write" || task !== undefined || action.diff === "") return false
  return action.diff.split("\n").every((line) => visible(line) === line)
}

/** Contract: only a line that is nothing but an answer allows anything; all else refuses, and is the reason. */
export function plainAnswer(line: string, grants: readonly Grant[]): Approval {
  const said = line.trim()
  if (/^(?:y|yes|once)$/i.test(said)) return { answer: "once" }
  const grant = grants.find(({ id }) => GRANT_KEYS[id] === said.toLowerCase())
  if (grant !== undefined) return { answer: "session", grant: grant.id }
  const reason = said.replace(/^no?(?:\s+|$)/i, "")
  return reason === "" ? { answer: "no" } : { answer: "no", reason }
}
