// Asks the person at the terminal whether a tool call may be made: on stderr, one question after the other.
import type { Approval } from "../../model/approval.ts"
import { serial } from "../../model/serial.ts"
import type { HostEvent } from "../../protocol/event.ts"
import type { Work } from "../../protocol/host.ts"
import type { Question } from "../../protocol/numbered-event.ts"
import { brokenLines, GRANT_KEYS, grantLines, headingOf, nobodyThere, questionLines } from "../../protocol/question.ts"
import { typedAnswer, UNCLEAR } from "../../protocol/typed-answer.ts"
import type { Cli } from "../port/cli.ts"
import { askPaged } from "../process/paged.ts"

/** Contract: takes every event of the session; stops waiting for a question that is withdrawn. */
export function askAtTerminal(cli: Pick<Cli, "in" | "err">, session: Pick<Work, "answer">): (event: HostEvent) => void {
  const open = new Map<string, AbortController>()
  const questions = serial()

  async function ask(question: Question, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const asked = choicesOf(question)
    const said = await askPaged(cli, shownLines(question, cli.err.width), asked, signal)
    const answer = typedAnswer(said, question.grants) ?? (await again(question, asked.question, signal))
    if (!signal.aborted) await session.answer(question.approval, answer)
  }

  /** Only once: anything but a yes is a no. */
  async function again({ grants }: Question, question: string, signal: AbortSignal): Promise<Approval> {
    if (signal.aborted) return { answer: "no" }
    cli.err.write(`${UNCLEAR}\n`)
    return typedAnswer(await cli.in.ask(question, signal), grants) ?? { answer: "no" }
  }

  return (event) => {
    if (event.type === "approval-end") open.get(event.approval)?.abort()
    if (event.type !== "approval-start") return
    const controller = new AbortController()
    open.set(event.approval, controller)
    questions
      .run(() => ask(event, controller.signal))
      .catch((error: unknown) => {
        const reason = `Could not ask the person: ${error instanceof Error ? error.message : String(error)}`
        void session.answer(event.approval, { answer: "no", by: "nobody", reason })
      })
  }
}

/** There is nobody to ask: what was not allowed beforehand is refused, and `refused` is called. */
export function refuseAll(session: Pick<Work, "answer">, refused: () => void): (event: HostEvent) => void {
  return (event) => {
    if (event.type !== "approval-start") return
    refused()
    void session.answer(event.approval, nobodyThere(event.title))
  }
}

function shownLines(question: Question, width: number): string[] {
  const title = brokenLines([{ kind: "plain", text: headingOf(question) }], width).map(({ text }) => text)
  const [first = "", ...more] = title
  const body = brokenLines(questionLines(question), width).map(({ text }) => text)
  return ["", `? ${first.slice(2)}`, ...more, ...body]
}

function choicesOf({ grants }: Question): { choices: string[]; question: string } {
  const choices = grantLines(grants).map(({ key, text }) => `  ${key}: allow ${text}`)
  const keys = grants.map(({ id }) => GRANT_KEYS[id]).join("/")
  return { choices, question: `Allow it? y: once, ${keys === "" ? "" : `${keys}: as above, `}n: no: ` }
}
