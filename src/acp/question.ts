// A question to the person, as an editor asks it: everything that the terminal shows, and an edit as old and new text.
import type { Approval } from "../model/approval.ts"
import { isObject, type Json, type JsonObject } from "../model/json.ts"
import { visible } from "../model/text/visible.ts"
import type { Question } from "../protocol/numbered-event.ts"
import { headingOf, questionLines } from "../protocol/question.ts"
import { fenced, kindOf, said } from "./content.ts"
import { editOf } from "./edit.ts"

export type ReadText = (path: string) => string | undefined

export function permissionRequest(session: string, question: Question, read: ReadText): JsonObject {
  const { action, call, name, grants } = question
  const toolCall = {
    toolCallId: call,
    title: headingOf(question),
    kind: kindOf(name, action),
    status: "pending",
    content: contentOf(question, read),
    ...(action.kind === "write" && { locations: [{ path: action.path }] }),
  }
  const options = [
    { optionId: "once", name: "Allow once", kind: "allow_once" },
    ...grants.map(({ id, words }) => ({
      optionId: id,
      name: visible(`Allow ${words}, for this session`),
      kind: "allow_always",
    })),
    { optionId: "no", name: "No", kind: "reject_once" },
  ]
  return { sessionId: session, toolCall, options }
}

/** An editor shows an edit without making every character visible: what has any that cannot be seen is shown as text, too. */
function contentOf(question: Question, read: ReadText): JsonObject[] {
  const { action, warnings } = question
  const edit = action.kind === "write" ? editOf(action.diff, read(action.path)) : undefined
  const lines = (of: Question) => questionLines(of).map(({ text }) => text)
  if (action.kind !== "write" || edit === undefined) return [said(fenced(lines(question).join("\n")))]
  const isSeen = action.diff
    .split("\n")
    .every((line) => visible(line.replaceAll("\t", " ")) === line.replaceAll("\t", " "))
  const words = isSeen ? warnings.map(visible) : lines(question)
  return [...(words.length === 0 ? [] : [said(fenced(words.join("\n")))]), { type: "diff", path: action.path, ...edit }]
}

export function approvalOf(answer: Json, { grants }: Question): Approval {
  const { outcome, optionId } = isObject(answer) && isObject(answer.outcome) ? answer.outcome : {}
  if (outcome !== "selected") return { answer: "no", by: "nobody", reason: "The question was withdrawn in the editor." }
  const grant = grants.find(({ id }) => id === optionId)
  if (grant !== undefined) return { answer: "session", grant: grant.id }
  return { answer: optionId === "once" ? "once" : "no" }
}
