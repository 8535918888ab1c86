// The agent's questions, a page at a time, and the line that answers each. One question after the other.
import { visible } from "../../model/text/visible.ts"
import type { HostEvent } from "../../protocol/event.ts"
import type { HostSession } from "../../protocol/host.ts"
import type { Question } from "../../protocol/numbered-event.ts"
import { nobodyThere } from "../../protocol/question.ts"
import { typedAnswer, UNCLEAR } from "../../protocol/typed-answer.ts"
import { type PlainScreen, plainKeys, plainQuestion } from "./plain-question.ts"

export interface PlainApprovalsDeps {
  say: (text: string) => void
  /** Whether a person types the lines, and can be asked. */
  asks: boolean
  screen?: () => PlainScreen
}

export interface PlainApprovals {
  /** Whether a question is pending. */
  readonly waiting: boolean
  follow(session: Pick<HostSession, "work">, event: HostEvent): void
  /** Takes a line as an answer, or as a request for the next page. Contract: only while a question is pending. */
  take(session: Pick<HostSession, "work">, line: string): "answered" | "open"
  /** Resolves when the next question is asked. */
  next(): Promise<void>
}

export function makePlainApprovals({ say, asks, screen }: PlainApprovalsDeps): PlainApprovals {
  /** Each with the pages not shown yet. */
  const questions: { question: Question; pages: string[] }[] = []
  let asked: () => void = () => undefined

  return {
    get waiting() {
      return questions.length > 0
    },
    follow(session, event) {
      if (event.type === "approval-start" && !asks) {
        say(`Not allowed: ${visible(event.title)}. There is nobody to ask. Allow it with --allow TOOL or --mode.`)
        void session.work?.answer(event.approval, nobodyThere(event.title))
      } else if (event.type === "approval-start") {
        const [first = "", ...pages] = plainQuestion(event, screen?.())
        questions.push({ question: event, pages })
        asked()
        say(first)
      }
      if (event.type === "approval-end")
        questions.splice(
          questions.findIndex(({ question }) => question.approval === event.approval),
          1,
        )
    },
    take(session, line) {
      const [asking] = questions
      if (asking === undefined) return "open"
      const { question, pages } = asking
      const answer = typedAnswer(line, question.grants)
      // Someone who pages with Enter may press it once too often.
      const paging = line.trim() === "" && screen !== undefined
      const page = paging || answer?.answer !== "no" ? pages.shift() : undefined
      if (page !== undefined || paging) {
        say(page === undefined ? plainKeys(question) : paging ? page : `There is more of it:\n${page}`)
        return "open"
      }
      if (answer === undefined) {
        say(`${UNCLEAR} ${plainKeys(question)}`)
        return "open"
      }
      void session.work?.answer(question.approval, answer)
      return "answered"
    },
    next: () =>
      new Promise<void>((settle) => {
        asked = settle
      }),
  }
}
