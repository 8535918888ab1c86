// Where a key goes: to an overlay, a question, the editor, or one of our own actions.
import { planForward } from "../../history/plan/forward.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { PromptInput } from "../../protocol/host.ts"
import { questionText } from "../approval/approval.ts"
import { chooseNextMode } from "../commands/choice-commands.ts"
import { isCommand, runCommand } from "../commands/commands.ts"
import { actionFor, type KeyAction } from "../terminal/key-map.ts"
import type { KeyPress } from "../terminal/keys.ts"
import { terminalAdvice } from "../words/advice-words.ts"
import type { App } from "./app.ts"
import { commandTerminal } from "./command-terminal.ts"
import { continueThere } from "./continue-there.ts"
import { DOUBLE_MS, type Escape } from "./escape.ts"
import type { Notices } from "./notices.ts"
import { openDetails, openHistory, openRewindList, openTreePage } from "./overlays.ts"
import type { OnScreen, ShownSession } from "./shown-session.ts"
import { stopTurn, takeBack } from "./stop-turn.ts"

export interface InputDeps {
  app: App
  escape: Escape
  now: () => number
  suspend: () => void
}

const LEAVE_MS = 1500

export function makeInput({ app, escape: double, now, suspend }: InputDeps): (key: KeyPress) => void {
  let leaving: number | undefined

  function press(key: KeyPress): void {
    if (app.screen.takesKey(key)) return
    app.hint(undefined)
    const action = actionFor(app.keys, key.name)
    if (action !== "stop") double.disarm()
    if (action !== "clear") leaving = undefined
    if (answers(key)) return
    if (action !== undefined && act(action)) return
    if (key.text === "?" && app.editor.empty && app.reason.approval === undefined)
      return void runCommand(commandTerminal(app), "/help")
    if (key.name === "paste") app.editor.paste(key.text ?? "")
    else app.editor.key(key.data)
    app.answering.typed()
    app.screen.redraw()
  }

  /** True if the key was handled here. */
  function act(action: KeyAction): boolean {
    switch (action) {
      case "stop":
        return stop()
      case "clear":
        return clear()
      case "quit":
        if (!app.editor.empty) return false
        app.quit()
        return true
      case "suspend":
        suspend()
        return true
      case "details":
        void openDetails(app)
        return true
      case "tree":
        void openTreePage(app).catch((error: unknown) => app.fail(error))
        return true
      case "edit":
        void editOutside(app)
        return true
      case "image":
        void pasteImage(app)
        return true
      case "mode":
        void chooseNextMode(commandTerminal(app)).catch((error: unknown) => app.fail(error))
        return true
      case "takeBack":
        if (app.view.queued.length === 0) return false
        void takeBack(app.view)
        return true
      case "back":
        if (app.editor.own) return false
        void runCommand(commandTerminal(app), "/back")
        return true
      case "forward":
        if (app.editor.own) return false
        void runCommand(commandTerminal(app), `/${planForward(app.session.history, app.session.head)?.by ?? "redo"}`)
        return true
      case "history":
        void openHistory(app).catch((error: unknown) => app.fail(error))
        return true
      case "redraw":
        app.screen.resized()
        return true
      default:
        return unreachable(action)
    }
  }

  function stop(): boolean {
    if (app.editor.completing) return false
    if (app.reason.approval !== undefined) {
      app.reason.end()
      app.screen.redraw()
      return true
    }
    if (app.progress.stop()) return true
    switch (double.press(app.view.busy)) {
      case "stop":
        void stopTurn(app)
        return true
      case "armed":
        app.hint(
          app.view.status().round === 0 ? undefined : "Press Esc again to go back to one of your prompts",
          DOUBLE_MS,
        )
        return true
      case "rewind":
        void openRewindList(app).catch((error: unknown) => app.fail(error))
        return true
    }
  }

  function clear(): boolean {
    if (!app.editor.empty) app.editor.clear()
    else if (app.view.busy) void stopTurn(app)
    else if (leaving !== undefined && now() - leaving <= LEAVE_MS) app.quit()
    else {
      leaving = now()
      app.hint(`Press ${app.keys.clear[0] ?? ""} again to quit`, LEAVE_MS)
    }
    app.screen.redraw()
    return true
  }

  function answers(key: KeyPress): boolean {
    const { question } = app.view
    if (question === undefined || app.reason.approval !== undefined) return false
    const action = actionFor(app.keys, key.name)
    if (action === "stop" && !app.editor.completing && app.answering.leave()) return true
    if (action === "details") {
      void openDetails(app, { title: question.title, text: questionText(question) })
      return true
    }
    return action === undefined && app.answering.key(question, key)
  }

  return press
}

/** Handles what was typed and sent. */
export function submit(app: App, input: PromptInput): void {
  const text = input.text.trim()
  const { approval } = app.reason
  if (approval !== undefined) {
    app.reason.end()
    void app.session.work?.answer(approval, text === "" ? { answer: "no" } : { answer: "no", reason: text })
    return
  }
  if (text === "" && (input.media ?? []).length === 0) {
    if (app.session.agent !== undefined) void continueThere(app)
    return
  }
  const under = commandUnder(input, app.editor.given, isCommand)
  if (under !== undefined) {
    app.editor.leave(under)
    return void runCommand(commandTerminal(app), under.command)
  }
  app.editor.remember(input.text)
  if (/^\/[a-z]*(?:\s|$)/i.test(text)) return void runCommand(commandTerminal(app), text, [], () => send(app, input))
  if (text === "!") app.hint("Type a command after the !, such as !ls")
  else if (text.startsWith("!")) void send(app, { text: text.slice(1).trim(), shell: true })
  else void send(app, input)
}

async function send(app: Notices & ShownSession & Pick<App, "returned">, input: PromptInput): Promise<void> {
  const giveBack = app.returned.sent()
  try {
    await app.keep(input)
    const answer = await app.view.send(input)
    if (answer.outcome === "failed") app.say("info", terminalAdvice(answer.advice))
    if (answer.outcome === "withdrawn") giveBack(answer.input)
  } catch (error) {
    app.fail(error)
    giveBack(input.shell === true ? { text: `!${input.text}` } : input)
  }
}

async function editOutside(app: OnScreen & Notices & Pick<App, "deps" | "resume">): Promise<void> {
  const { editText } = app.deps
  if (editText === undefined) return app.hint("No editor is configured: set EDITOR")
  const before = app.editor.expanded
  app.screen.end()
  app.deps.terminal.stop()
  try {
    const text = await editText(before)
    if (text !== undefined) app.editor.rewrite(text.replace(/\n$/, ""))
  } catch (error) {
    app.fail(error)
  }
  app.resume()
}

async function pasteImage(app: OnScreen & Notices & Pick<App, "deps">): Promise<void> {
  const image = await app.deps.clipboardImage?.()
  if (image === undefined) return app.hint("There is no image on the clipboard")
  app.editor.image(image.part, image.name)
  app.screen.redraw()
}

interface CommandUnder {
  draft: PromptInput
  /** Whether the draft is still verbatim what came back. */
  given: boolean
  command: string
}

/**
 * With or without a space before it. A path (`src/model/record/record.ts`) is not a command: it continues after the name.
 */
const BEHIND = /^\s*(\/([a-z]+)(?:[ \t][^\n]*)?)\s*$/
const ON_ITS_LINE = /\n[ \t]*(\/([a-z]+)(?:[ \t][^\n]*)?)\s*$/

/**
 * A command typed under a draft, or right after text that came back: it runs, and the draft stays. Undefined if all of
 * it should be sent.
 */
function commandUnder(
  input: PromptInput,
  given: string,
  isCommand: (name: string) => boolean,
): CommandUnder | undefined {
  const shown = input.display ?? input.text
  const came = given.trim()
  const behind = came !== "" && shown.startsWith(came) ? BEHIND.exec(shown.slice(came.length)) : null
  if (behind?.[1] !== undefined && isCommand(behind[2] ?? ""))
    return { draft: without(input, behind[0]), given: true, command: behind[1] }
  const below = ON_ITS_LINE.exec(shown)
  if (below?.[1] === undefined || !isCommand(below[2] ?? "")) return undefined
  const draft = without(input, below[0])
  return { draft, given: (draft.display ?? draft.text) === came, command: below[1] }
}

/** A command has no placeholder, so what was typed and what is sent end with the same words. */
function without(input: PromptInput, end: string): PromptInput {
  const cut = (text: string) => text.slice(0, text.length - end.length)
  return { ...input, text: cut(input.text), ...(input.display === undefined ? {} : { display: cut(input.display) }) }
}
