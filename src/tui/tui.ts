// The terminal UI, from the first line to the terminal given back.
import type { HostSession } from "../protocol/host.ts"
import { type App, makeApp } from "./app.ts"
import { COMMANDS } from "./commands.ts"
import { makeEscape } from "./escape.ts"
import { makeInput, submit } from "./input.ts"
import { EDITOR_KEYS } from "./key-map.ts"
import { MODES, MODE_WORDS } from "./mode.ts"
import { notification } from "./notify.ts"
import { openSessionList } from "./overlays.ts"
import type { TuiParts } from "./parts.ts"
import { keyPress } from "./terminal/keys.ts"
import { setEditorKeys } from "./terminal/pi.ts"
import { SEQUENCE } from "./terminal/port.ts"

/** Contract: resolves when the person leaves; the terminal is as it was, whatever happened. */
export async function runTui(parts: TuiParts): Promise<void> {
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
          if (key !== undefined) press(key)
        }
      },
      resize: () => app.screen.resized(),
      closed: () => leave(),
    })
    app.screen.begin()
  }

  function suspend(): void {
    if (parts.suspend === undefined) return
    app.screen.end()
    terminal.stop()
    parts.suspend()
  }

  const stopListening = [parts.onEnd?.(() => leave()), parts.onContinue?.(start)]
  let session: HostSession | undefined
  try {
    session = await firstSession(parts)
    await app.open(session, parts.start.kind === "new" ? "new" : "resumed")
    for (const notice of parts.notices ?? []) app.say("warning", notice)
    start()
    if (parts.start.kind === "resume" && parts.start.id === undefined) void openSessionList(app)
    await left
  } finally {
    for (const stop of stopListening) stop?.()
    app.progress.close()
    app.transcript.finish()
    app.screen.end()
    terminal.stop()
    if (session !== undefined) await app.view.close()
  }
}

async function firstSession(parts: TuiParts): Promise<HostSession> {
  const { host, cwd } = parts
  if (parts.start.kind === "resume" && parts.start.id !== undefined) return host.open(parts.start.id)
  if (parts.start.kind === "continue") {
    const [last] = (await host.list({ cwd })).filter(({ from, archived }) => from?.as !== "task" && !archived)
    if (last !== undefined) return host.open(last.id)
  }
  return host.create({ cwd })
}

async function argumentsOf(app: App, command: string, prefix: string): Promise<{ value: string; about: string }[]> {
  const starts = ({ value }: { value: string }) => value.toLowerCase().startsWith(prefix.toLowerCase())
  if (command === "mode") return MODES.map((mode) => ({ value: mode, about: MODE_WORDS[mode] })).filter(starts)
  if (command === "model") return ((await app.parts.models?.()) ?? []).filter(starts)
  if (command === "goto" || command === "diff" || command === "restore") {
    return [...app.session.labels().values()].map((name) => ({ value: name, about: "a label" })).filter(starts)
  }
  return []
}
