// The program on the screen: the view of a session, the editor and the status line, and what a command can ask of them.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { plainText } from "../../model/record/part.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip } from "../../model/text/width.ts"
import type { HostSession, PromptInput, Unsent } from "../../protocol/host.ts"

import { type Answering, makeAnswering } from "../approval/answering.ts"
import { makeReason, type Reason } from "../approval/deny-reason.ts"
import { type Block, finished } from "../conversation/block.ts"
import { type NoticeLevel, noticeBlock } from "../conversation/lines.ts"
import { makeTranscript, type Transcript } from "../conversation/transcript.ts"
import { type PromptEditor, promptEditor } from "../editor/editor.ts"
import { joinInputs } from "../editor/pastes.ts"
import { makeReturned, type Returned } from "../editor/returned.ts"
import { makeProgress, type ProgressLine } from "../screen/progress.ts"
import { type Frame, makeScreen, type Screen } from "../screen/screen.ts"
import { statusLine } from "../screen/status-line.ts"
import { windowTitle } from "../screen/title.ts"
import { type Keys, keyMap } from "../terminal/key-map.ts"
import { makeTheme, type Theme } from "../terminal/theme.ts"
import { refusal } from "../words/refusal.ts"
import type { TuiDeps } from "./deps.ts"
import { type SessionView, sessionView } from "./session-view.ts"
import { stopTurn } from "./stop-turn.ts"
import { welcomeLines } from "./welcome.ts"

export interface App {
  readonly parts: TuiDeps
  readonly theme: Theme
  readonly screen: Screen
  readonly editor: PromptEditor
  readonly progress: ProgressLine
  readonly keys: Keys
  readonly transcript: Transcript
  readonly view: SessionView
  readonly session: HostSession
  /** Under the editor, until the next key; `forMs`: or for as long as it is true. */
  hint(text: string | undefined, forMs?: number): void
  say(level: NoticeLevel, text: string, hint?: string): void
  print(lines: (width: number) => string[]): void
  fail(error: unknown): void
  /** Leaves the session that is shown, if there is one, and shows this one. A turn there is stopped, and that is said. */
  open(session: HostSession, how: "draft" | "resumed"): Promise<void>
  /** From here on the session is kept: one that was only looked at leaves no file. */
  keep(): Promise<void>
  /** Typing answers a question with a reason. */
  readonly reason: Reason
  /** Keys under a question. */
  readonly answering: Answering
  /** What was sent and comes back. */
  readonly returned: Returned
  /** What was typed in this folder and in this session, oldest first. */
  typedBefore(): Promise<readonly string[]>
  /** A session is open: before that only overlays take keys. */
  readonly ready: boolean
  /** Leaves the session; what was typed and not sent is kept with it. */
  close(): Promise<Unsent | undefined>
  /** The terminal is ours again, after somebody else had it. */
  resume(): void
  quit(): void
}

export interface AppHandlers {
  submit(app: App, input: PromptInput): void
  commands(): { name: string; about: string; hint: string }[]
  argumentsOf(app: App, command: string, prefix: string): Promise<{ value: string; about: string }[]>
  tell(app: App, text: string): void
  resume(): void
  quit(): void
}

export function makeApp(parts: TuiDeps, handlers: AppHandlers): App {
  const theme = makeTheme(parts)
  const transcript = makeTranscript(theme, parts.now)
  let view: SessionView | undefined
  let hint: string | undefined
  let hintEnds: NodeJS.Timeout | undefined
  const screen = makeScreen({ terminal: parts.terminal, theme, now: parts.now, frame })
  const redraw = () => screen.redraw()
  const progress = makeProgress({ theme, now: parts.now, redraw })
  const editor = promptEditor({
    theme,
    rows: () => screen.rows,
    redraw,
    placeholder: () => (view === undefined || app.reason.approval !== undefined ? "" : view.running ? STEER : ASK),
    submit: (input) => handlers.submit(app, input),
    commands: () => handlers.commands(),
    argumentsOf: (command, prefix) => handlers.argumentsOf(app, command, prefix),
    ...(parts.completeFiles === undefined ? {} : { files: parts.completeFiles }),
    ...(parts.readImage === undefined ? {} : { readImage: parts.readImage }),
  })

  let titled = ""
  /** Says in the window's title what goes on, when that has changed. */
  function title(): void {
    const doing = view?.question === undefined ? (view?.running === true ? "works" : "idle") : "asks"
    const text = windowTitle(parts.cwd, doing)
    if (text !== titled) parts.terminal.write(text)
    titled = text
  }

  /** From below: status, editor or question, what is queued, progress; the conversation gets what is left. */
  function frame(width: number, height: number): Frame {
    title()
    const { lines: settled, more } = transcript.settle(width)
    const below = belowLines(width, height)
    const room = height - 2 - below.lines.length
    const live = more ? [] : transcript.live(width, room)
    const top = [...live, ""]
    const cursor = below.cursor && { row: top.length + below.cursor.row, column: below.cursor.column }
    return { settled, more, live: [...top, ...below.lines], ...(cursor === undefined ? {} : { cursor }) }
  }

  function belowLines(width: number, height: number): { lines: string[]; cursor?: { row: number; column: number } } {
    const lines: string[] = []
    const doing = progress.line(width)
    if (doing !== undefined) lines.push(doing)
    for (const text of view?.queued.slice(-3) ?? []) {
      lines.push(
        theme.quiet(clip(`↳ queued: ${sanitiseLine(text)} (${app.keys.takeBack[0] ?? ""} takes it back)`, width)),
      )
    }
    const question = view?.question
    const status = view === undefined ? "" : statusLine(view.status(), width, theme)
    const foot = hint === undefined ? status : theme.warning(clip(` ${hint}`, width))
    if (question !== undefined && app.reason.approval === undefined) {
      const draft = editor.empty ? undefined : editor.lines(width)
      const room = height - lines.length - (draft?.lines.length ?? 0) - 4
      lines.push(...app.answering.lines(question, { width, room }))
      if (draft === undefined) return { lines: [...lines, foot] }
      const at = app.answering.typing ? draft.cursor : undefined
      const below = [...lines, ...draft.lines, foot]
      return {
        lines: below,
        ...(at === undefined ? {} : { cursor: { row: lines.length + at.row, column: at.column } }),
      }
    }
    const typed = editor.lines(width)
    const cursor = typed.cursor && { row: lines.length + typed.cursor.row, column: typed.cursor.column }
    return { lines: [...lines, ...typed.lines, foot], ...(cursor === undefined ? {} : { cursor }) }
  }

  const add = (block: Block) => transcript.add(block, view?.session.history.size ?? 0)
  const left = (row: Row) => {
    transcript.dimAfter(row)
    screen.dimAfter(row)
  }

  let draft = false
  let keeping: Promise<void> | undefined
  async function kept(): Promise<void> {
    if (!draft) return
    const before = view
    const session = await progress.during("Starting the session", parts.host.create({ cwd: parts.cwd }))
    draft = false
    show(session)
    await before?.close()
  }

  function show(session: HostSession): SessionView {
    app.reason.end()
    const tell = (text: string) => handlers.tell(app, text)
    session.on((event) => {
      if (event.type === "approval-end") app.reason.withdraw(event.approval)
    })
    const details = app.keys.details[0] ?? ""
    const { now } = parts
    view = sessionView({ session, details, transcript, theme, progress, now, redraw, left, tell })
    return view
  }

  const app: App = {
    parts,
    theme,
    screen,
    editor,
    progress,
    transcript,
    keys: keyMap(parts.keys),
    reason: makeReason(editor),
    answering: makeAnswering({
      theme,
      editor,
      now: parts.now,
      answer: (approval, answer) => app.session.answer(approval, answer),
      askReason: (approval) => app.reason.ask(approval),
      hint: (text) => app.hint(text),
      redraw,
    }),
    returned: makeReturned(editor),
    get view() {
      if (view === undefined) throw new Error("No session is open.")
      return view
    },
    get ready() {
      return view !== undefined
    },
    async close() {
      const typed = editor.own ? editor.input : undefined
      // Words are worth a session, also one that was only looked at.
      if (typed !== undefined && draft) await app.keep().catch(() => undefined)
      return view?.close(typed)
    },
    get session() {
      return app.view.session
    },
    hint(text, forMs) {
      clearTimeout(hintEnds)
      if (text !== undefined && forMs !== undefined) hintEnds = setTimeout(() => app.hint(undefined), forMs).unref()
      if (hint === text) return
      hint = text
      redraw()
    },
    say(level, text, more) {
      add(noticeBlock(theme, level, text, more))
      redraw()
    },
    print(lines) {
      add(finished("page", lines))
      redraw()
    },
    fail(error) {
      if (error instanceof RetconError) {
        const { message, hint: more } = refusal(error.failure)
        app.say("error", message, more)
      } else app.say("error", error instanceof Error ? error.message : String(error))
    },
    async open(session, how) {
      const stopped = view?.running === true ? view.session.id : undefined
      if (stopped !== undefined) await stopTurn(app)
      await view?.close()
      transcript.finish()
      if (!editor.own) editor.clear()
      draft = how === "draft"
      const own = show(session)
      const unsent = how === "resumed" ? session.takeDraft() : undefined
      if (unsent !== undefined) editor.keep(joinInputs(editor.own ? [unsent, editor.input] : [unsent]))
      add(finished("page", (width) => welcomeLines(app, width)))
      // First the prompt, then what was said: that may be long.
      screen.draw()
      if (how === "resumed") own.show("end")
      if (unsent !== undefined) app.say("info", "What you had not sent when you left stands in the editor again.")
      if (stopped !== undefined) {
        const hint = `Go on there with /resume, or with: retcon -r ${stopped}`
        app.say("warning", "The agent was stopped in the previous session.", hint)
      }
      redraw()
      if (how === "resumed")
        void parts.spentBefore?.(session).then(
          (totals) => own.spentBefore(totals),
          () => undefined,
        )
      void app.typedBefore().then((texts) => {
        if (view === own) for (const text of texts.slice(-MOST_REMEMBERED)) editor.remember(text)
      })
    },
    async typedBefore() {
      const own = view === undefined ? [] : promptTexts(view.session)
      const before = await (parts.pastPrompts?.() ?? Promise.resolve([])).catch(() => [])
      const known = new Set(own)
      return [...before.filter((text) => !known.has(text)), ...own]
    },
    keep() {
      keeping ??= kept().finally(() => (keeping = undefined))
      return keeping
    },
    resume: () => handlers.resume(),
    quit: () => handlers.quit(),
  }
  return app
}

const ASK = "Ask anything · / commands · @ files · ! shell · ? help"
const STEER = "Add something: the agent gets it after this step"

const MOST_REMEMBERED = 100

/** What the person typed last in this session, oldest first, for the arrow keys. */
function promptTexts({ history, head }: HostSession): string[] {
  const texts: string[] = []
  let row = head === NONE ? NONE : history.prompt(head)
  while (row !== NONE && texts.length < MOST_REMEMBERED) {
    const record = history.record(row)
    if (record?.type === "message") texts.unshift(record.display ?? plainText(record.content))
    const parent = history.parent(row)
    row = parent === NONE ? NONE : history.prompt(parent)
  }
  return texts
}
