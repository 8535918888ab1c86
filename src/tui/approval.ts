// The question of an approval: what exactly would run or change, and the keys that answer.
import { sanitise, sanitiseLine } from "../model/text/sanitise.ts"
import { clip } from "../model/text/width.ts"
import { unreachable } from "../model/unreachable.ts"
import type { ApprovalAction, HostEvent } from "../protocol/event.ts"
import { diffLine } from "./conversation/highlight.ts"
import { wrapped } from "./conversation/lines.ts"
import { rule } from "./conversation/note-lines.ts"
import type { Theme } from "./theme.ts"

export type Question = Extract<HostEvent, { type: "approval-start" }>

export interface QuestionSpace {
  width: number
  /** Lines there may be. */
  room: number
  /** The key that shows all of it. */
  details: string
}

export function questionLines(question: Question, { width, room, details }: QuestionSpace, theme: Theme): string[] {
  const lines = actionLines(question.action, width - 2, theme)
  const most = Math.max(3, room - 3)
  const left = lines.length - most
  const shown =
    left > 0 ? [...lines.slice(0, most - 1), theme.warning(`… ${left + 1} more lines: ${details} shows all`)] : lines
  const title = clip(`Allow ${titled(question)}?`, width - 6)
  return [rule(title, width, theme.warning, theme), ...shown.map((line) => `  ${line}`), keysLine(width, theme)]
}

/** Some titles start with the tool's own name. */
function titled({ name, title }: Question): string {
  const [tool, what] = [sanitiseLine(name), sanitiseLine(title)]
  return what.toLowerCase().startsWith(tool.toLowerCase()) ? what : `${tool} ${what}`
}

/** All of it, for a page of its own. */
export function questionText(question: Question): string {
  const { action } = question
  switch (action.kind) {
    case "write":
      return action.diff
    case "command":
      return action.command
    case "read":
      return action.path
    case "restore":
      return `The files as they were at checkpoint ${action.checkpoint}`
    case "other":
      return JSON.stringify(action.input, undefined, 2)
    default:
      return unreachable(action)
  }
}

function actionLines(action: ApprovalAction, width: number, theme: Theme): string[] {
  switch (action.kind) {
    case "write":
      return sanitise(action.diff)
        .replace(/\n$/, "")
        .split("\n")
        .filter((line) => !line.startsWith("\\ No newline"))
        .map((line) => diffLine(clip(line.replaceAll("\t", "  "), width), theme))
    case "command": {
      const where = `${action.background ? "in the background, " : ""}in ${sanitiseLine(action.cwd)}`
      return [...wrapped(`$ ${action.command}`, width).map(theme.strong), theme.quiet(clip(where, width))]
    }
    case "read":
      return [`read ${clip(sanitiseLine(action.path), width - 5)}`]
    case "restore":
      return [clip(`Brings the files back as they were at checkpoint ${action.checkpoint}`, width)]
    case "other":
      return wrapped(JSON.stringify(action.input, undefined, 2), width)
    default:
      return unreachable(action)
  }
}

const KEYS = [
  ["y", "once"],
  ["a", "for this session"],
  ["n", "no"],
  ["r", "no, with a reason"],
  ["esc", "stop"],
] as const

function keysLine(width: number, theme: Theme): string {
  const short = width < 70
  const words = KEYS.map(([key, what]) => {
    const said = short ? what.replace("for this session", "session").replace("no, with a reason", "no, because…") : what
    return `${theme.key(key)} ${said}`
  })
  return `  ${words.join(theme.quiet(" · "))}`
}
