// Another agent's session on the screen: to view and move in; it continues in its own program, or here in a copy.
import { agentTitle } from "../../model/agent-title.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import { wrap } from "../../model/text/wrap.ts"
import type { HostSession, MoveRequest, SessionContents, SessionMoves } from "../../protocol/host.ts"
import { type KeyHint, makeFrame } from "../overlay/frame/frame.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../screen/overlay-host.ts"
import { makeLine, piece } from "../text/line.ts"

/** What a person can do with it, and a hint. */
export function lookingWords({ agent = "", resume }: SessionContents): [string, string] {
  const title = agentTitle(agent)
  const there = resume === undefined ? "" : `Enter continues it in ${title}. `
  return [`This is a session of ${title}.`, `${there}A prompt continues it here, in a copy.`]
}

/** The same session; if nothing shows whether its agent has it open, the person is asked before a move. */
export function askingIfOpenThere(session: SessionMoves, screen: OverlayHost): HostSession {
  async function asked(make: (more: MoveRequest) => Promise<MoveResult>): Promise<MoveResult> {
    const answer = await make({})
    if (answer.outcome !== "refused" || answer.failure.code !== "perhaps-running") return answer
    const { agent } = answer.failure
    const closed = await screen.showOverlay<boolean>((handle) => makeQuestion(handle, agentTitle(agent)))
    return closed ? make({ evenIfRunning: true }) : answer
  }
  const moves: Pick<SessionMoves, "back" | "goto" | "undo" | "redo"> = {
    back: (request = {}) => asked((more) => session.back({ ...request, ...more })),
    goto: (entry, request = {}) => asked((more) => session.goto(entry, { ...request, ...more })),
    undo: (request = {}) => asked((more) => session.undo({ ...request, ...more })),
    redo: (request = {}) => asked((more) => session.redo({ ...request, ...more })),
  }
  // Not a copy: the head changes.
  return Object.assign(Object.create(session), moves) as HostSession
}

const KEYS: readonly KeyHint[] = [
  ["y", "it is closed there"],
  ["Esc", "change nothing"],
]

function makeQuestion(handle: OverlayHandle<boolean>, title: string): Overlay {
  const { theme } = handle
  const text = `retcon cannot tell whether ${title} has this session open. If it does, it would not notice the move and might overwrite it. Have you closed it there?`
  return {
    render(width, height) {
      const body = () => wrap(text, width).map((line) => makeLine([line], width))
      return makeFrame(theme, { title: [piece("Go back in it?", theme.strong)], body, keys: KEYS }, width, height)
    },
    key(key) {
      if (key.name === "y") handle.done(true)
      else if (["escape", "ctrl+c", "n"].includes(key.name)) handle.done(false)
    },
  }
}
