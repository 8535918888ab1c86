// The session on the screen: one at a time, and what happens when another replaces it.
import type { Row } from "../../history/tree/tree.ts"
import { agentTitle } from "../../model/agent-title.ts"
import type { Advice } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { clip, sanitiseLine, widthOf } from "../../model/text/sanitise.ts"
import type { CreateRequest, Draft, HostSession, PromptInput, Unsent } from "../../protocol/host.ts"
import { joinInputs } from "../../protocol/join-inputs.ts"
import { copyOf, promptWords } from "../../protocol/open-to-work.ts"
import type { Reason } from "../approval/deny-reason.ts"
import { wrapped } from "../conversation/block.ts"
import type { Transcript } from "../conversation/transcript.ts"
import type { PromptEditor } from "../editor/editor.ts"
import type { ProgressLine } from "../screen/progress.ts"
import type { Screen } from "../screen/screen.ts"
import { position } from "../screen/status-line.ts"
import type { Theme } from "../terminal/theme.ts"
import { terminalAdvice } from "../words/advice-words.ts"
import { askingSession } from "./asking.ts"
import type { TuiDeps } from "./deps.ts"
import type { Notices } from "./notices.ts"
import { type SessionView, sessionView } from "./session-view.ts"
import { stopTurn } from "./stop-turn.ts"
import { MOST_REMEMBERED, typedBefore } from "./typed-before.ts"

export interface ShownSession {
  /** Whether a session is open: before that only overlays take keys. */
  readonly ready: boolean
  readonly view: SessionView
  readonly session: HostSession
  /** Leaves the session on the screen, if there is one, and shows this one. Stops a turn there, and says so. */
  open(session: HostSession, how: "draft" | "resumed"): Promise<void>
  /**
   * Makes the session permanent: one that was only viewed leaves no file, and another agent's that cannot be continued is replaced by a copy.
   */
  keep(first?: PromptInput): Promise<void>
  /** Leaves the session; unsent text is kept with it. */
  close(): Promise<Unsent | undefined>
}

export interface ShownSessionDeps extends OnScreen, Pick<Notices, "say" | "print"> {
  deps: Pick<TuiDeps, "agent" | "host" | "cwd" | "elapsed" | "noKey" | "pastPrompts" | "spentBefore">
  transcript: Transcript
  reason: Reason
  /** The key that shows what was folded. */
  details: string
  /** Notifies a person who looks elsewhere. */
  tell: (text: string) => void
}

export function makeShownSession(parts: ShownSessionDeps): ShownSession {
  const { deps, theme, screen, editor, progress, transcript, reason, details, say, print, tell } = parts
  const redraw = () => screen.redraw()
  let view: SessionView | undefined
  let draft = false
  let keeping: Promise<void> | undefined

  const left = (row: Row) => {
    transcript.dimAfter(row)
    screen.dimAfter(row)
  }

  function show(session: HostSession): SessionView {
    reason.end()
    session.on(({ event }) => {
      if (event.type === "approval-end") reason.withdraw(event.approval)
    })
    const now = deps.elapsed
    const asking = askingSession(session, screen)
    view = sessionView({ session: asking, details, transcript, theme, progress, now, redraw, left, tell })
    return view
  }

  async function kept(first: PromptInput | undefined): Promise<void> {
    const shown = view?.session
    if (shown?.agent !== undefined && shown.work === undefined) return continueInCopy(shown)
    if (!draft) return
    const before = view
    const session = await progress.during("Starting the session", deps.host.create(wanted(first)))
    draft = false
    show(session)
    await before?.close()
  }

  /** Another agent's session begins with a prompt. */
  function wanted(prompt: PromptInput | undefined): CreateRequest {
    const { cwd, agent } = deps
    if (agent === undefined) return { cwd }
    if (prompt !== undefined && prompt.shell !== true) return { cwd, agent, prompt }
    const problem = `A session of ${agentTitle(agent)} begins with your first prompt.`
    throw new RetconError({ code: "invalid", problem, advice: "Send a prompt first." })
  }

  /** No program of that agent can continue it here. What is in the editor, or just sent, goes to the copy. */
  async function continueInCopy(original: HostSession): Promise<void> {
    const opening = copyOf(deps.host, original, deps.cwd)
    const { session, copied } = await progress.during("Copying the session", opening)
    await shown.open(session, "resumed")
    if (copied !== undefined) say("info", copied)
  }

  const shown: ShownSession = {
    get ready() {
      return view !== undefined
    },
    get view() {
      if (view === undefined) throw new Error("No session is open.")
      return view
    },
    get session() {
      return shown.view.session
    },
    async open(session, how) {
      const stopped = view?.running === true ? view.session.id : undefined
      if (view?.running === true) await stopTurn({ progress, view })
      // The person's own text goes along; what a move gave back belongs to the session that is left.
      await view?.close(editor.own ? undefined : unsentIn(editor))
      transcript.finish()
      if (!editor.own) editor.clear()
      draft = how === "draft"
      const own = show(session)
      const unsent = how === "resumed" ? session.takeDraft() : undefined
      if (unsent?.inLog === true && !editor.own) editor.put(unsent)
      else if (unsent !== undefined) editor.keep(joinInputs(editor.own ? [unsent, editor.input] : [unsent]))
      print((width) =>
        welcomeLines({ theme, view: own, noKey: deps.noKey === true && deps.agent === undefined }, width),
      )
      // First the editor, then the conversation, which may be long.
      screen.draw()
      if (how === "resumed") own.show("end")
      if (session.agent !== undefined) say("info", ...lookingWords(session))
      if (unsent !== undefined) say("info", "Your unsent text is back in the editor.")
      if (stopped !== undefined) {
        const advice: Advice = ["Continue there with ", { do: "resume", session: stopped }]
        say("warning", "The agent in the previous session was stopped.", terminalAdvice(advice))
      }
      redraw()
      if (how === "resumed")
        void deps.spentBefore?.(session).then(
          (totals) => own.spentBefore(totals),
          () => undefined,
        )
      void typedBefore(session, deps).then((texts) => {
        if (view === own) for (const text of texts.slice(-MOST_REMEMBERED)) editor.remember(text)
      })
    },
    keep(first) {
      keeping ??= kept(first).finally(() => (keeping = undefined))
      return keeping
    },
    async close() {
      const typed = unsentIn(editor)
      // Unsent text is worth keeping a session for, even one that was only viewed.
      if (typed !== undefined && draft) await shown.keep().catch(() => undefined)
      return view?.close(typed)
    },
  }
  return shown
}

function unsentIn({ empty, input, own }: Pick<PromptEditor, "empty" | "input" | "own">): Draft | undefined {
  if (empty) return undefined
  return own ? input : { ...input, inLog: true }
}

/** Another agent's session on the screen: what a person can do with it, and a hint. */
function lookingWords(session: HostSession): [string, string] {
  const title = agentTitle(session.agent ?? "")
  const there = session.resume === undefined ? "" : `Enter continues it in ${title}. `
  return [`This is a session of ${title}.`, `${there}${promptWords(session)}.`]
}

const SHORT_HINT = "/help for commands · Esc Esc goes back in time"
const HINT = `${SHORT_HINT} · nothing is ever lost`

interface Welcome {
  theme: Theme
  view: SessionView
  /** Nobody chose the practice model: there is no key for another. */
  noKey: boolean
}

/** The first lines of a session. */
function welcomeLines({ theme, view, noKey }: Welcome, width: number): string[] {
  const { session } = view
  const status = view.status()
  const where =
    status.rounds === 0 && status.branches <= 1
      ? sanitiseLine(session.cwd)
      : `${sanitiseLine(session.cwd)} · ${position(status)}`
  const lines = [
    `${theme.strong("retcon")} ${theme.quiet(clip(where, width - 8))}`,
    theme.quiet(clip(widthOf(HINT) <= width ? HINT : SHORT_HINT, width)),
  ]
  if (noKey && status.model.startsWith("practice")) {
    const text = "No API key, so this is the practice model. Set ANTHROPIC_API_KEY, or use /model"
    lines.push(...wrapped(text, width).map(theme.warning))
  }
  if (status.filesUnavailable !== undefined) {
    const { reason, advice = "" } = status.filesUnavailable
    const text = `Going back will leave your files alone: ${sanitiseLine(reason)}. ${terminalAdvice(advice)}`
    lines.push(...wrapped(text, width).map(theme.warning))
  }
  return lines
}

/** The parts of the screen, for code that draws on it or reads from it. */
export interface OnScreen {
  readonly theme: Theme
  readonly screen: Screen
  readonly editor: PromptEditor
  readonly progress: ProgressLine
}
