// Keys under a question. An answer is a single key after a pause: someone who types a word or a command, or pastes
// text, is typing, until Enter or Esc. A wide grant, which allows more than this call, needs Enter to confirm it.
import type { Approval } from "../../model/approval.ts"
import type { Grant } from "../../model/grant.ts"
import type { Question } from "../../protocol/numbered-event.ts"
import { GRANT_KEYS } from "../../protocol/question.ts"
import type { PromptEditor } from "../editor/editor.ts"
import type { KeyPress } from "../terminal/keys.ts"
import type { Theme } from "../terminal/theme.ts"
import { makeQuestionView, type QuestionSpace, type QuestionView } from "./approval.ts"

/** A key that was meant for the editor does not answer a question that has just appeared. */
const SETTLE_MS = 400
/** If another key follows within this time, the first was the beginning of a word. */
const ANSWER_MS = 250

export interface Answering {
  /** Whether keys go to the editor, below the question. */
  readonly typing: boolean
  lines(question: Question, space: Omit<QuestionSpace, "typing">): string[]
  /** True if the key was for the question; otherwise it belongs to the editor. */
  key(question: Question, key: KeyPress): boolean
  /** Call when the editor took a key. */
  typed(): void
  /** Returns from typing to the question. False if nobody is typing. */
  leave(): boolean
}

export interface AnsweringDeps {
  theme: Theme
  editor: PromptEditor
  now: () => number
  answer(approval: string, answer: Approval): void
  /** Opens the editor for the reason of a refusal. */
  askReason(approval: string): void
  hint(text: string): void
  redraw(): void
}

interface Current {
  approval: string
  view: QuestionView
  typing: boolean
  /** When keys begin to count as answers. */
  from: number
  /** The answer to give if no other key follows. */
  pending: { key: KeyPress; timer: NodeJS.Timeout } | undefined
  /** A wide grant that needs Enter. */
  confirming: { grant: Grant; key: KeyPress } | undefined
}

export function makeAnswering(parts: AnsweringDeps): Answering {
  const { editor, now } = parts
  let current: Current | undefined
  let typedAt = Number.NEGATIVE_INFINITY

  function of(question: Question): Current {
    if (current?.approval === question.approval) return current
    clearTimeout(current?.pending?.timer)
    const view = makeQuestionView(question, parts.theme)
    // Someone who was typing when it appeared keeps typing.
    const typing = now() < typedAt + SETTLE_MS
    current = { approval: question.approval, view, typing, from: 0, pending: undefined, confirming: undefined }
    return current
  }

  /** These keys turned out to begin a text. */
  function startTyping(state: Current, ...keys: KeyPress[]): void {
    state.typing = true
    // A command needs a separate line.
    if (keys[0]?.text === "/" && !editor.empty) editor.key("\n")
    for (const key of keys) editor.key(key.data)
    parts.redraw()
  }

  function act(question: Question, state: Current, key: KeyPress): void {
    const { approval, grants } = question
    const grant = grants.find(({ id }) => GRANT_KEYS[id] === key.name)
    if (key.name === "n") parts.answer(approval, { answer: "no" })
    else if (key.name === "r") {
      parts.askReason(approval)
      parts.hint("Why not? Enter sends your reason, Esc returns to the question")
    } else if (!state.view.read) parts.hint("There is more to read: press space, then you can allow it")
    else if (key.name === "y") parts.answer(approval, { answer: "once" })
    else if (grant?.width === "exact") parts.answer(approval, { answer: "session", grant: grant.id })
    else if (grant !== undefined) {
      state.confirming = { grant, key }
      parts.hint(`Enter allows ${grant.words} for this session, Esc cancels`)
    }
  }

  function pend(question: Question, state: Current, key: KeyPress): void {
    const timer = setTimeout(() => {
      if (current !== state || state.pending?.timer !== timer) return
      state.pending = undefined
      act(question, state, key)
    }, ANSWER_MS)
    state.pending = { key, timer }
  }

  return {
    get typing() {
      return current?.typing === true
    },
    lines(question, space) {
      const { view, typing } = of(question)
      return view.lines({ ...space, typing })
    },
    key(question, key) {
      const state = of(question)
      const { pending, confirming } = state
      clearTimeout(pending?.timer)
      state.pending = undefined
      state.confirming = undefined
      if (state.typing) return false
      if (key.name === "paste") {
        state.typing = true
        return false
      }
      if (confirming !== undefined && key.name === "enter") {
        parts.answer(question.approval, { answer: "session", grant: confirming.grant.id })
        return true
      }
      const before = pending?.key ?? confirming?.key
      const isText = key.text !== undefined && key.text !== " "
      if (isText && before !== undefined) startTyping(state, before, key)
      else if (isText && now() < state.from) startTyping(state, key)
      else if (isAnswer(question, key)) pend(question, state, key)
      else if (state.view.scroll(key.name)) parts.redraw()
      else if (isText) startTyping(state, key)
      else if (confirming === undefined) parts.hint(waiting(question))
      return true
    },
    typed() {
      typedAt = editor.empty ? Number.NEGATIVE_INFINITY : now()
      if (current === undefined || !current.typing || !editor.empty) return
      current.typing = false
      current.from = now() + SETTLE_MS
    },
    leave() {
      if (current === undefined || (!current.typing && current.confirming === undefined)) return false
      current.typing = false
      current.confirming = undefined
      current.from = now()
      parts.redraw()
      return true
    },
  }
}

function isAnswer({ grants }: Question, { name }: KeyPress): boolean {
  return ["y", "n", "r"].includes(name) || grants.some(({ id }) => GRANT_KEYS[id] === name)
}

function waiting({ grants }: Question): string {
  const session = grants.map(({ id }) => GRANT_KEYS[id]).join(", ")
  return `The agent is waiting: y once, ${session === "" ? "" : `${session} for this session, `}n no, r no with a reason`
}
