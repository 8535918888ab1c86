// What only the person knows, asked before a move: whether another agent still has the session open, and whether they still want
// it after somebody else has moved the session.
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import { wrap } from "../../model/text/sanitise.ts"
import { isMovedElsewhere, moveQuestion, promptQuestion } from "../../protocol/elsewhere-question.ts"
import type { HostSession, MoveRequest, PromptInput, SendAnswer, SessionMoves, Work } from "../../protocol/host.ts"
import { workIn } from "../../protocol/open-to-work.ts"
import { ownRequests } from "../../protocol/own-requests.ts"
import { type KeyHint, makeFrame } from "../overlay/frame/frame.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../screen/overlay-host.ts"
import { makeLine, piece } from "../text/line.ts"

/** The same session, asked from the head that is on the screen. */
export function askingSession(session: HostSession, screen: OverlayHost): HostSession {
  const own = ownRequests(session)
  const confirmed = (question: Question) => screen.showOverlay<boolean>((handle) => makeQuestion(handle, question))

  async function asked(request: MoveRequest, make: (whole: MoveRequest) => Promise<MoveResult>): Promise<MoveResult> {
    const whole = { ...own.expects(), ...request }
    const answer = await (whole.dryRun === true ? make(whole) : own.move(whole, () => make(whole)))
    if (answer.outcome !== "refused") return answer
    const { failure, plan } = answer
    if (isMovedElsewhere(failure)) {
      if (plan === undefined || !(await confirmed(moved(moveQuestion(failure, answer), "go ahead")))) return answer
      return asked({ ...request, expects: failure.head }, make)
    }
    if (failure.code !== "perhaps-running" || !(await confirmed(perhapsOpen(agentTitle(failure.agent))))) return answer
    return asked({ ...request, evenIfRunning: true }, make)
  }

  async function send(input: PromptInput, asked = own.expects()): Promise<SendAnswer> {
    try {
      return await own.send(asked, () => workIn(session).send(input, asked))
    } catch (error) {
      const failure = error instanceof RetconError ? error.failure : undefined
      if (failure === undefined || !isMovedElsewhere(failure)) throw error
      if (!(await confirmed(moved(promptQuestion(failure), "send it there")))) return { outcome: "withdrawn", input }
      return send(input, { expects: failure.head })
    }
  }

  const asking: SessionMovesAndSend = {
    send: (input) => send(input),
    back: ({ rounds, ...request } = {}) =>
      asked(request, (whole) => session.back({ ...(rounds !== undefined && { rounds }), ...whole })),
    goto: (entry, { summarise, ...request } = {}) =>
      asked(request, (whole) => session.goto(entry, { ...(summarise !== undefined && { summarise }), ...whole })),
    undo: (request = {}) => asked(request, (whole) => session.undo(whole)),
    redo: (request = {}) => asked(request, (whole) => session.redo(whole)),
    revert: (rounds, request = {}) => asked(request, (whole) => session.revert(rounds, whole)),
    bring: (what, request = {}) => asked(request, (whole) => session.bring(what, { ...request, ...whole })),
    pick: (branch, request = {}) => asked(request, (whole) => session.pick(branch, whole)),
    restore: (entry, { paths, ...request } = {}) =>
      asked(request, (whole) => session.restore(entry, { ...(paths !== undefined && { paths }), ...whole })),
  }
  // Not a copy: the head changes.
  return Object.assign(Object.create(session), asking) as HostSession
}

type SessionMovesAndSend = Pick<
  SessionMoves,
  "back" | "goto" | "undo" | "redo" | "restore" | "revert" | "bring" | "pick"
> &
  Pick<Work, "send">

interface Question {
  title: string
  text: string
  keys: readonly KeyHint[]
  yes: readonly string[]
}

function perhapsOpen(title: string): Question {
  const text = `retcon cannot tell whether ${title} has this session open. If it does, it would not notice the move and might overwrite it. Have you closed it there?`
  const keys: KeyHint[] = [
    ["y", "it is closed there"],
    ["Esc", "change nothing"],
  ]
  return { title: "Go back in it?", text, keys, yes: ["y"] }
}

function moved(text: string, yes: string): Question {
  const keys: KeyHint[] = [
    ["Enter", yes],
    ["Esc", "change nothing"],
  ]
  return { title: "This session was moved meanwhile", text, keys, yes: ["enter", "y"] }
}

function makeQuestion(handle: OverlayHandle<boolean>, { title, text, keys, yes }: Question): Overlay {
  const { theme } = handle
  return {
    render(width, height) {
      const body = () => wrap(text, width).map((line) => makeLine([line], width))
      return makeFrame(theme, { title: [piece(title, theme.strong)], body, keys }, width, height)
    },
    key(key) {
      if (yes.includes(key.name)) handle.done(true)
      else if (["escape", "ctrl+c", "n"].includes(key.name)) handle.done(false)
    },
  }
}
