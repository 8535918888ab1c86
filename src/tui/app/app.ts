// The program on the screen, assembled: what is drawn, what speaks to the person, and the session shown.
import { agentTitle } from "../../model/agent-title.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import type { PromptInput } from "../../protocol/host.ts"
import { type Answering, makeAnswering } from "../approval/answering.ts"
import { makeReason, type Reason } from "../approval/deny-reason.ts"
import { moreCommands } from "../commands/their-commands.ts"
import { makeTranscript, type Transcript } from "../conversation/transcript.ts"
import { type PromptEditor, promptEditor } from "../editor/editor.ts"
import { makeReturnedInput, type ReturnedInput } from "../editor/returned-input.ts"
import { makeProgress, type ProgressLine } from "../screen/progress.ts"
import { type Frame, makeScreen } from "../screen/screen.ts"
import { statusLine } from "../screen/status-line.ts"
import { terminalTitle } from "../screen/terminal-title.ts"
import { type Keys, keyMap } from "../terminal/key-map.ts"
import { makeTheme, type Theme } from "../terminal/theme.ts"
import type { TuiDeps } from "./deps.ts"
import { makeNotices, type Notices } from "./notices.ts"
import type { SessionView } from "./session-view.ts"
import { makeShownSession, type OnScreen, type ShownSession } from "./shown-session.ts"

export interface App extends OnScreen, Notices, ShownSession {
  readonly deps: TuiDeps
  readonly keys: Keys
  readonly transcript: Transcript
  /** Lets the person type the reason for an answer. */
  readonly reason: Reason
  /** Keys under a question. */
  readonly answering: Answering
  /** Takes what was sent and comes back. */
  readonly returned: ReturnedInput
  /** Takes the terminal back after another program had it. */
  resume(): void
  quit(): void
}

export interface AppHandlers {
  submit(app: App, input: PromptInput): void
  commands(): { name: string; about: string; hint: string }[]
  argumentsOf(app: App, command: string, prefix: string): Promise<{ value: string; about: string }[]>
  tell: (text: string) => void
  resume(): void
  quit(): void
}

export function makeApp(deps: TuiDeps, handlers: AppHandlers): App {
  const { terminal, elapsed } = deps
  const theme = makeTheme(deps)
  const keys = keyMap(deps.keys)
  const transcript = makeTranscript(theme, elapsed)
  const view = () => (shown.ready ? shown.view : undefined)
  const screen = makeScreen({
    terminal,
    theme,
    now: deps.now,
    elapsed,
    frame(width, height) {
      title()
      return layout(width, height)
    },
  })
  const redraw = () => screen.redraw()
  const progress = makeProgress({ theme, now: elapsed, redraw })
  const editor = promptEditor({
    theme,
    rows: () => screen.rows,
    redraw,
    placeholder: () => (!shown.ready || reason.approval !== undefined ? "" : placeholder(shown.view, deps.agent)),
    submit: (input) => handlers.submit(app, input),
    commands: () => handlers.commands(),
    fileCommands: () => moreCommands(shown.session),
    argumentsOf: (command, prefix) => handlers.argumentsOf(app, command, prefix),
    ...(deps.completeFiles === undefined ? {} : { files: deps.completeFiles }),
    ...(deps.readImage === undefined ? {} : { readImage: deps.readImage }),
  })
  const onScreen: OnScreen = { theme, screen, editor, progress }
  const { notices, hint } = makeNotices({
    theme,
    redraw,
    add: (block) => void transcript.add(block, view()?.session.history.size ?? 0),
  })
  const reason = makeReason(editor)
  const details = keys.details[0] ?? ""
  const { tell } = handlers
  const shown = makeShownSession({ ...onScreen, ...notices, deps, transcript, reason, details, tell })
  const answering = makeAnswering({
    theme,
    editor,
    now: elapsed,
    answer: (approval, answer) => void shown.session.work?.answer(approval, answer),
    askReason: (approval) => reason.ask(approval),
    hint: (text) => notices.hint(text),
    redraw,
  })
  const takeBack = keys.takeBack[0] ?? ""
  const layout = makeLayout({ ...onScreen, transcript, reason, answering, takeBack, view, hint })

  let titled = ""
  /** Updates the window's title if what is happening has changed. */
  function title(): void {
    const doing = view()?.question === undefined ? (view()?.running === true ? "works" : "idle") : "asks"
    const text = terminalTitle(deps.cwd, doing)
    if (text !== titled) terminal.write(text)
    titled = text
  }

  const app: App = {
    deps,
    keys,
    transcript,
    reason,
    answering,
    returned: makeReturnedInput(editor),
    ...onScreen,
    ...notices,
    get ready() {
      return shown.ready
    },
    get view() {
      return shown.view
    },
    get session() {
      return shown.session
    },
    open: (session, how) => shown.open(session, how),
    keep: (first) => shown.keep(first),
    close: () => shown.close(),
    resume: () => handlers.resume(),
    quit: () => handlers.quit(),
  }
  return app
}

function placeholder({ session, running }: SessionView, begins: string | undefined): string {
  if (running) return STEER
  if (session.agent === undefined) return begins === undefined ? ASK : ASK.replace("anything", agentTitle(begins))
  const title = agentTitle(session.agent)
  return session.work !== undefined
    ? `Ask ${title} · / commands · @ files · Enter: open it in ${title}`
    : `Enter continues in ${title}; a prompt continues here, in a copy`
}

const ASK = "Ask anything · / commands · @ files · ! shell · ? help"
const STEER = "Add something: the agent gets it after this step"

interface LayoutDeps {
  theme: Theme
  editor: PromptEditor
  progress: ProgressLine
  transcript: Transcript
  reason: Reason
  answering: Answering
  /** The key that takes back what is queued. */
  takeBack: string
  /** The session on the screen; undefined until one is open. */
  view: () => SessionView | undefined
  hint: () => string | undefined
}

const MOST_ATTEMPTS = 6

type Lines = Pick<Frame, "cursor"> & { lines: string[] }

/**
 * Which part gets which lines of the screen. From below: status or hint, editor or question, what is queued, progress;
 * the conversation gets the rest.
 */
function makeLayout(parts: LayoutDeps): (width: number, height: number) => Frame {
  const { theme, editor, progress, transcript, reason, answering, takeBack } = parts

  function below(width: number, height: number): Lines {
    const view = parts.view()
    const hint = parts.hint()
    const lines: string[] = []
    const doing = progress.line(width)
    if (doing !== undefined) lines.push(doing)
    for (const text of view?.attempts.slice(0, MOST_ATTEMPTS) ?? []) lines.push(theme.quiet(clip(text, width)))
    for (const text of view?.queued.slice(-3) ?? []) {
      lines.push(theme.quiet(clip(`↳ queued: ${sanitiseLine(text)} (${takeBack} takes it back)`, width)))
    }
    const status = view === undefined ? "" : statusLine(view.status(), width, theme)
    const foot = hint === undefined ? status : theme.warning(clip(` ${hint}`, width))
    const question = reason.approval === undefined ? view?.question : undefined
    if (question === undefined) return stacked(lines, editor.lines(width), foot)
    const draft = editor.empty ? { lines: [] } : editor.lines(width)
    const room = height - lines.length - draft.lines.length - 4
    lines.push(...answering.lines(question, { width, room }))
    return stacked(lines, answering.typing ? draft : { lines: draft.lines }, foot)
  }

  return (width, height) => {
    const { lines: settled, more } = transcript.settle(width)
    const fixed = below(width, height)
    const live = more ? [] : transcript.live(width, height - 2 - fixed.lines.length)
    const { lines, cursor } = stacked([...live, ""], fixed)
    return { settled, more, live: lines, ...(cursor === undefined ? {} : { cursor }) }
  }
}

/** Stacked; the cursor stays on its line. */
function stacked(above: readonly string[], { lines, cursor }: Lines, ...foot: string[]): Lines {
  const all = { lines: [...above, ...lines, ...foot] }
  return cursor === undefined ? all : { ...all, cursor: { row: above.length + cursor.row, column: cursor.column } }
}
