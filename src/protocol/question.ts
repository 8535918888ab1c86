// The words of a question to the person: complete, and the same in every front end. They consent to exactly what was shown.
import type { Approval, ApprovalAction } from "../model/approval.ts"
import type { Grant, GrantId } from "../model/grant.ts"
import { withLookAlikes } from "../model/text/look-alikes.ts"
import { pieces, visible } from "../model/text/visible.ts"
import { unreachable } from "../model/unreachable.ts"
import type { ApprovalQuestion, FromAttempt } from "./event.ts"

export interface QuestionLine {
  kind: "warning" | "command" | "added" | "removed" | "quiet" | "plain"
  text: string
}

/** Complete lines, with every character made visible. */
export function questionLines({ action, warnings }: ApprovalQuestion): QuestionLine[] {
  return [...warnings.map((text) => line("warning", text)), ...actionLines(action)]
}

/** One line as a heading, with the attempt that asks; `questionLines` has everything. */
export function headingOf({ attempt, ...question }: { name: string } & ApprovalQuestion & FromAttempt): string {
  return attempt === undefined ? callOf(question) : `${visible(attempt.label)}: ${callOf(question)}`
}

function callOf({ name, title, action }: { name: string } & ApprovalQuestion): string {
  if (action.kind === "command") return visible([name, ...howOf(action)].join(", "))
  return visible(withLookAlikes(title.toLowerCase().startsWith(name.toLowerCase()) ? title : `${name} ${title}`))
}

/** The same, wrapped for a screen. A continued line is marked in two extra columns. */
export function brokenLines(lines: readonly QuestionLine[], width: number): QuestionLine[] {
  return lines.flatMap(({ kind, text }) =>
    pieces(text, width - 2).map((piece, i) => ({ kind, text: `${i === 0 ? "  " : "↳ "}${piece}` })),
  )
}

/** The key for each grant. */
export const GRANT_KEYS: Readonly<Record<GrantId, string>> = { this: "a", like: "w", tool: "t" }

/** "a  exactly this command, for this session" */
export function grantLines(grants: readonly Grant[]): { key: string; text: string }[] {
  return grants.map(({ id, words, theirs }) => ({
    key: GRANT_KEYS[id],
    text: visible(theirs === true ? words : `${words}, for this session`),
  }))
}

function actionLines(action: ApprovalAction): QuestionLine[] {
  switch (action.kind) {
    case "write":
      return action.diff === ""
        ? [line("plain", withLookAlikes(action.path))]
        : diffLines(withLookAlikes(action.path), textLines(action.diff))
    case "command": {
      const [first = "", ...more] = textLines(withLookAlikes(action.command))
      const where = [...howOf(action), `in ${action.cwd}`].join(", ")
      return [line("command", `$ ${first}`), ...more.map((text) => line("command", text)), line("quiet", where)]
    }
    case "read":
      return [line("plain", `read ${withLookAlikes(action.path)}`)]
    case "restore":
      return [line("plain", `brings the files back as they were at checkpoint ${action.checkpoint}`)]
    case "other":
      return textLines(JSON.stringify(action.input, undefined, 2)).map((text) => line("plain", text))
    default:
      return unreachable(action)
  }
}

/** The answer when there is no person to ask. */
export function nobodyThere(title: string): Approval {
  const reason = `There is nobody to allow it (${title}). Do without it, or say that you need it.`
  return { answer: "no", by: "nobody", reason }
}

function howOf({ background, outsideSandbox }: Extract<ApprovalAction, { kind: "command" }>): string[] {
  return [...(background ? ["in the background"] : []), ...(outsideSandbox === true ? ["outside the sandbox"] : [])]
}

function textLines(text: string): string[] {
  return text.replace(/\n$/, "").split("\n")
}

/** Replaces a diff's header by a word for what happens to the file, and its full path. */
function diffLines(path: string, all: readonly string[]): QuestionLine[] {
  const [before = "", after = ""] = all
  if (!before.startsWith("--- ") || !after.startsWith("+++ ")) return all.map(diffLine)
  if (before === "--- /dev/null") return [line("quiet", `new file ${path}`), ...all.slice(3).map(diffLine)]
  return [line("quiet", `change ${path}`), ...all.slice(2).map(diffLine)]
}

function diffLine(text: string): QuestionLine {
  if (text.startsWith("+")) return line("added", text)
  if (text.startsWith("-")) return line("removed", text)
  return line(text.startsWith("@@") || text.startsWith("\\") ? "quiet" : "plain", text)
}

function line(kind: QuestionLine["kind"], text: string): QuestionLine {
  return { kind, text: visible(text.replaceAll("\n", "<U+000A>")) }
}
