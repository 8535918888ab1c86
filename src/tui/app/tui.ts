// The terminal UI, from its first line until it gives the terminal back.
import type { SessionId } from "../../model/id.ts"
import { type AgentChoice, offeredFor } from "../../model/offers.ts"
import { PERMISSION_MODES } from "../../model/permission-mode.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { unreachable } from "../../model/unreachable.ts"
import { canContinue, isOffered } from "../../protocol/can-continue.ts"
import { COMMANDS } from "../commands/commands.ts"
import { isDriven } from "../commands/their-commands.ts"
import { TITLE } from "../screen/terminal-title.ts"
import { EDITOR_KEYS } from "../terminal/key-map.ts"
import { type KeyPress, keyPress } from "../terminal/keys.ts"
import { setEditorKeys } from "../terminal/pi.ts"
import { SEQUENCE } from "../terminal/port.ts"
import { continueWords } from "../words/advice-words.ts"
import { MODE_WORDS } from "../words/mode-words.ts"
import { unsentWords } from "../words/unsent-words.ts"
import { type App, makeApp } from "./app.ts"
import type { TuiDeps } from "./deps.ts"
import { makeEscape } from "./escape.ts"
import { makeInput, submit } from "./input.ts"
import { openSessionList } from "./overlays.ts"
import type { OnScreen, ShownSession } from "./shown-session.ts"

/** Contract: resolves when the person leaves; the terminal is as it was, whatever happened. */
export async function runTui(deps: TuiDeps): Promise<void> {
  setEditorKeys(EDITOR_KEYS)
  const { terminal } = deps
  let leave: () => void = () => undefined
  const left = new Promise<void>((settle) => {
    leave = settle
  })
  let focused = true
  const app: App = makeApp(deps, {
    submit,
    quit: () => leave(),
    commands: () => COMMANDS.map(({ name, about, hint }) => ({ name, about, hint })),
    argumentsOf,
    tell: (text) => {
      if (!focused) terminal.write(notification(deps.notify, text))
    },
    resume: () => start(),
  })
  const press = makeInput({ app, escape: makeEscape(deps.elapsed), now: deps.elapsed, suspend })

  function start(): void {
    terminal.start({
      input(data) {
        if (data === SEQUENCE.focusIn) focused = true
        else if (data === SEQUENCE.focusOut) focused = false
        else {
          if (app.screen.takesAnswer(data)) return
          focused = true
          const key = keyPress(data)
          if (key !== undefined) pressed(key)
        }
      },
      resize: () => app.screen.resized(),
      closed: () => leave(),
    })
    app.screen.begin()
  }

  /** What is typed before the session is open is not lost. */
  const early: KeyPress[] = []
  function pressed(key: KeyPress): void {
    if (app.ready || app.screen.hasOverlay) press(key)
    else if (key.name === "ctrl+c") leave()
    else early.push(key)
  }

  function suspend(): void {
    if (deps.suspend === undefined) return
    app.screen.end()
    terminal.stop()
    deps.suspend()
  }

  const forgetEnd = deps.onEnd?.(() => leave())
  const forgetContinue = deps.onContinue?.(start)
  try {
    terminal.write(TITLE.save)
    start()
    await Promise.race([app.progress.during("Opening the session", openFirst(app)), left])
    if (app.ready) for (const key of early.splice(0)) press(key)
    for (const notice of deps.notices ?? []) app.say("warning", notice)
    if (deps.start.kind === "new") void deps.advice?.().then((text) => text !== undefined && app.say("info", text))
    if (app.ready && deps.prompt !== undefined) submit(app, { text: deps.prompt })
    await left
  } finally {
    forgetContinue?.()
    app.progress.close()
    app.transcript.finish()
    app.screen.end()
    terminal.write(TITLE.restore)
    terminal.stop()
    const again = app.ready ? continueWith(app) : ""
    const unsent = await app.close()
    if (unsent !== undefined) terminal.write(`${unsentWords(unsent).replaceAll("\n", "\r\n")}\r\n`)
    if (again !== "") terminal.write(again)
    // Not before everything is saved: a closed terminal is reported more than once, and without a listener that would
    // end the program.
    forgetEnd?.()
  }
}

/** How to come back to a session that was kept. */
function continueWith({ session, theme, deps }: ShownSession & OnScreen & Pick<App, "deps">): string {
  if (session.file === undefined || session.history.tips().length === 0) return ""
  return `${theme.quiet(continueWords(session, "screen", deps.cwd))}\r\n`
}

async function openFirst(app: App): Promise<void> {
  const { host, cwd, start } = app.deps
  if (start.kind === "resume") {
    if (start.id !== undefined) {
      const { id } = start
      const listed = (await host.list()).sessions.find((session) => session.id === id)
      return openListed(app, id, listed?.busy)
    }
    if (await openSessionList(app)) return
  }
  if (start.kind === "continue") {
    const last = (await host.list({ cwd })).sessions.find(canContinue)
    if (last !== undefined) return openListed(app, last.id, last.busy)
    const others = (await host.list({ cwd, agents: "all" })).sessions.some(isOffered)
    if (others && (await openSessionList(app))) return
  }
  await app.open(await host.draft({ cwd }), "draft")
}

async function openListed(app: App, id: SessionId, busy = false): Promise<void> {
  await app.open(await app.deps.host.open(id), "resumed")
  if (busy)
    app.say("warning", "The agent is working in this session in another process.", "Continue in a copy with: /split")
}

const CHOSEN_BY: Readonly<Record<string, AgentChoice>> = { mode: "mode", model: "model", think: "effort" }

async function argumentsOf(app: App, command: string, prefix: string): Promise<{ value: string; about: string }[]> {
  const starts = ({ value }: { value: string }) => value.toLowerCase().startsWith(prefix.toLowerCase())
  if (isDriven(app.session) && Object.hasOwn(CHOSEN_BY, command)) {
    const offers = await app.session.offers().catch(() => undefined)
    const all = offers === undefined ? [] : offeredFor(offers, CHOSEN_BY[command] ?? "mode")
    return all.map(({ id, name, about = name }) => ({ value: id, about })).filter(starts)
  }
  if (command === "mode")
    return PERMISSION_MODES.map((mode) => ({ value: mode, about: MODE_WORDS[mode] })).filter(starts)
  if (command === "model") {
    return ((await app.deps.models?.()) ?? []).filter((item) => item.missing === undefined && starts(item))
  }
  if (["goto", "diff", "restore", "revert", "bring"].includes(command)) {
    return [...app.session.labels().values()].map((name) => ({ value: name, about: "a label" })).filter(starts)
  }
  return []
}

/**
 * A bell or a message on the desktop, for a person who looks elsewhere. OSC 9 for iTerm2, kitty and Windows; OSC 777
 * for VTE, foot and others; a terminal ignores what it does not know.
 */
function notification(how: "bell" | "desktop" | "none", text: string): string {
  switch (how) {
    case "none":
      return ""
    case "bell":
      return SEQUENCE.bell
    case "desktop": {
      const safe = sanitiseLine(text).replaceAll(";", ",").slice(0, 120)
      return `\u001b]9;${safe}\u0007\u001b]777;notify;retcon;${safe}\u0007`
    }
    default:
      return unreachable(how)
  }
}
