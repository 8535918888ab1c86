// The terminal UI, from the first line to the terminal given back.
import { type SessionId, shortId } from "../../model/id.ts"
import { canGoOn } from "../../protocol/listing.ts"
import { notification } from "../screen/notify.ts"
import { TITLE } from "../screen/title.ts"
import { EDITOR_KEYS } from "../terminal/key-map.ts"
import { type KeyPress, keyPress } from "../terminal/keys.ts"
import { setEditorKeys } from "../terminal/pi.ts"
import { SEQUENCE } from "../terminal/port.ts"
import { MODE_WORDS, MODES } from "../words/mode-words.ts"
import { unsentWords } from "../words/unsent-words.ts"
import { type App, makeApp } from "./app.ts"
import { COMMANDS } from "./commands.ts"
import type { TuiDeps } from "./deps.ts"
import { makeEscape } from "./escape.ts"
import { makeInput, submit } from "./input.ts"
import { openSessionList } from "./overlays.ts"

/** Contract: resolves when the person leaves; the terminal is as it was, whatever happened. */
export async function runTui(parts: TuiDeps): Promise<void> {
  setEditorKeys(EDITOR_KEYS)
  const { terminal } = parts
  let leave: () => void = () => undefined
  const left = new Promise<void>((settle) => {
    leave = settle
  })
  let focused = true
  const app: App = makeApp(parts, {
    submit,
    quit: () => leave(),
    commands: () => COMMANDS.map(({ name, about, hint }) => ({ name, about, hint })),
    argumentsOf,
    tell: (_, text) => {
      if (!focused) terminal.write(notification(parts.notify, text))
    },
    resume: () => start(),
  })
  const press = makeInput({ app, escape: makeEscape(parts.now), now: parts.now, suspend })

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
    if (parts.suspend === undefined) return
    app.screen.end()
    terminal.stop()
    parts.suspend()
  }

  const stopListening = [parts.onEnd?.(() => leave()), parts.onContinue?.(start)]
  try {
    terminal.write(TITLE.save)
    start()
    await Promise.race([app.progress.during("Opening the session", openFirst(app)), left])
    if (app.ready) for (const key of early.splice(0)) press(key)
    for (const notice of parts.notices ?? []) app.say("warning", notice)
    if (parts.start.kind === "new") void parts.advice?.().then((text) => text !== undefined && app.say("info", text))
    if (app.ready && parts.prompt !== undefined) submit(app, { text: parts.prompt })
    await left
  } finally {
    for (const stop of stopListening) stop?.()
    app.progress.close()
    app.transcript.finish()
    app.screen.end()
    terminal.write(TITLE.restore)
    terminal.stop()
    const again = app.ready ? continueWith(app) : ""
    const unsent = await app.close()
    if (unsent !== undefined) terminal.write(`${unsentWords(unsent).replaceAll("\n", "\r\n")}\r\n`)
    if (again !== "") terminal.write(again)
  }
}

/** How to come back, for a session that was kept. */
function continueWith({ session, theme }: App): string {
  if (session.file === undefined || session.history.tips().length === 0) return ""
  return `${theme.quiet(`Continue with: retcon -r ${shortId(session.id)}`)}\r\n`
}

async function openFirst(app: App): Promise<void> {
  const { host, cwd, start } = app.parts
  if (start.kind === "resume") {
    if (start.id !== undefined) {
      const { id } = start
      const listed = (await host.list()).find((session) => session.id === id)
      return openListed(app, id, listed?.busy)
    }
    if (await openSessionList(app)) return
  }
  if (start.kind === "continue") {
    const sessions = await host.list({ cwd })
    const last = sessions.find(canGoOn)
    if (last !== undefined) return openListed(app, last.id, last.busy)
  }
  await app.open(await host.draft({ cwd }), "draft")
}

async function openListed(app: App, id: SessionId, busy = false): Promise<void> {
  await app.open(await app.parts.host.open(id), "resumed")
  if (busy) app.say("warning", "A turn runs in this session elsewhere.", "Open a split instead? /split")
}

async function argumentsOf(app: App, command: string, prefix: string): Promise<{ value: string; about: string }[]> {
  const starts = ({ value }: { value: string }) => value.toLowerCase().startsWith(prefix.toLowerCase())
  if (command === "mode") return MODES.map((mode) => ({ value: mode, about: MODE_WORDS[mode] })).filter(starts)
  if (command === "model") {
    return ((await app.parts.models?.()) ?? []).filter((item) => item.missing === undefined && starts(item))
  }
  if (command === "goto" || command === "diff" || command === "restore") {
    return [...app.session.labels().values()].map((name) => ({ value: name, about: "a label" })).filter(starts)
  }
  return []
}
