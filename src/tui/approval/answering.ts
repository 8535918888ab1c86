// Keys under a question. An answer is one key on a quiet keyboard: whoever types a word, a command or pastes a text is
// typing, and types until Enter or Esc. What allows more than one call is confirmed by Enter where it is wide.

import type { Approval } from "../../model/approval.ts"
import type { Grant } from "../../model/grant.ts"
import { GRANT_KEYS } from "../../protocol/question.ts"
import type { PromptEditor } from "../editor/editor.ts"
import type { KeyPress } from "../terminal/keys.ts"
import type { Theme } from "../terminal/theme.ts"
import { makeQuestionView, type Question, type QuestionSpace, type QuestionView } from "./approval.ts"

/** A key that was meant for the editor is no answer to a question that came up under the fingers. */
const SETTLE_MS = 400
/** A key that another follows within this time was the beginning of a word. */
const ANSWER_MS = 250

export interface Answering {
  /** What is typed goes to the editor, below the question. */
  readonly typing: boolean
  lines(question: Question, space: Omit<QuestionSpace, "typing">): string[]
  /** True when the key was for the question; else it is the editor's. */
  key(question: Question, key: KeyPress): boolean
  /** The editor took a key. */
  typed(): void
  /** Back from typing to the question. False when nobody types. */
  leave(): boolean
}

export interface AnsweringDeps {
  theme: Theme
  editor: PromptEditor
  now: () => number
  answer(approval: string, answer: Approval): void
  /** Opens the editor for a reason. */
  askReason(approval: string): void
  hint(text: string): void
  redraw(): void
}

interface Current {
  approval: string
  view: QuestionView
  typing: boolean
  /** Answers count from then on. */
  from: number
  /** An answer that counts when no other key follows. */
  pending: { key: KeyPress; timer: NodeJS.Timeout } | undefined
  /** A wide grant that waits for Enter. */
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
    // Whoever typed when it came up goes on typing.
    const typing = now() < typedAt + SETTLE_MS
    current = { approval: question.approval, view, typing, from: 0, pending: undefined, confirming: undefined }
    return current
  }

  /** These keys were the beginning of something that is typed. */
  function startTyping(state: Current, ...keys: KeyPress[]): void {
    state.typing = true
    // A command stands on a line of its own.
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
      parts.hint("Why not? Enter sends it, Esc goes back to the question")
    } else if (!state.view.read) parts.hint("There is more of it: space shows it, then it can be allowed")
    else if (key.name === "y") parts.answer(approval, { answer: "once" })
    else if (grant?.width === "exact") parts.answer(approval, { answer: "session", grant: grant.id })
    else if (grant !== undefined) {
      state.confirming = { grant, key }
      parts.hint(`Enter allows ${grant.words}, for this session; Esc does not`)
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
  return `The agent waits: y once, ${session === "" ? "" : `${session} for this session, `}n no, r no with a reason`
}
