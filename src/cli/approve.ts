// Asks the person at the terminal whether a tool may do what it would do: on stderr, one question after the other.
import { sanitise, sanitiseLine } from "../model/text/sanitise.ts"
import { clip } from "../model/text/width.ts"
import { unreachable } from "../model/unreachable.ts"
import type { ApprovalAction, HostEvent } from "../protocol/event.ts"
import type { Approval, HostSession } from "../protocol/host.ts"
import type { Cli } from "./cli.ts"

type Question = Extract<HostEvent, { type: "approval-start" }>

const MOST_LINES = 20
const CHOICES = "Allow it? [y]es once, [s]ession, [n]o: "

/** Contract: takes every event of the session; a question that is withdrawn is no longer waited for. */
export function askAtTerminal(cli: Cli, session: Pick<HostSession, "answer">): (event: HostEvent) => void {
  const open = new Map<string, AbortController>()
  let last: Promise<void> = Promise.resolve()

  async function ask(question: Question, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    cli.err.write(questionText(question, cli.err.width))
    const said = await cli.in.ask(CHOICES, signal)
    if (!signal.aborted) session.answer(question.approval, answerOf(said))
  }

  return (event) => {
    if (event.type === "approval-end") open.get(event.approval)?.abort()
    if (event.type !== "approval-start") return
    const controller = new AbortController()
    open.set(event.approval, controller)
    last = last
      .then(() => ask(event, controller.signal))
      .catch((error: unknown) => {
        const reason = `The person could not be asked: ${error instanceof Error ? error.message : String(error)}`
        session.answer(event.approval, { answer: "no", reason })
      })
  }
}

/** Nobody to ask: what is not allowed beforehand is refused, and `refused` is told. */
export function refuseAll(session: Pick<HostSession, "answer">, refused: () => void): (event: HostEvent) => void {
  return (event) => {
    if (event.type !== "approval-start") return
    refused()
    const reason = `Nobody is there to allow this (${event.title}). Do without it, or say that it is needed.`
    session.answer(event.approval, { answer: "no", reason })
  }
}

/** Contract: only a plain yes allows. */
function answerOf(said: string): Approval {
  const word = said.trim().toLowerCase()
  if (word === "y" || word === "yes") return { answer: "once" }
  if (word === "s" || word === "session") return { answer: "session" }
  return { answer: "no", reason: "The person said no." }
}

function questionText({ title, action }: Question, width: number): string {
  const lines = sanitise(actionText(action)).replace(/\n$/, "").replaceAll("\t", "  ").split("\n")
  const more = lines.length > MOST_LINES ? [`  … ${lines.length - MOST_LINES} more lines`] : []
  const shown = lines.slice(0, MOST_LINES).map((line) => clip(`  ${line}`, width))
  return `${["", clip(`? ${sanitiseLine(title)}`, width), ...shown, ...more].join("\n")}\n`
}

function actionText(action: ApprovalAction): string {
  switch (action.kind) {
    case "write":
      return action.diff === "" ? action.path : action.diff
    case "command":
      return `$ ${action.command}\n${action.background ? "in the background, " : ""}in ${action.cwd}`
    case "read":
      return `read ${action.path}`
    case "restore":
      return `brings the files back as they were at checkpoint ${action.checkpoint}`
    case "other":
      return JSON.stringify(action.input, undefined, 2)
    default:
      return unreachable(action)
  }
}
