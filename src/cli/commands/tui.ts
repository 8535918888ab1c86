// retcon: the agent in this terminal; with --plain, as lines. What its first frame does not need is loaded on demand.

import { createInterface } from "node:readline"
import { requireUsableConfig } from "../../app/config/config-check.ts"
import { makeHost } from "../../app/host.ts"
import { libraryApart } from "../../app/library/library-apart.ts"
import { workingSession } from "../../app/library/named-session.ts"
import { pastPrompts } from "../../app/library/past-prompts.ts"
import { spentBefore } from "../../app/library/spent-before.ts"
import { completeFiles } from "../../app/open/complete-files.ts"
import { brokenHookLines } from "../../app/protection/broken-lines.ts"
import type { AgentOptions, Composition } from "../../app/setup/make-host-deps.ts"
import { hostDeps } from "../../app/setup/make-host-deps.ts"
import type { Host } from "../../protocol/host.ts"
import type { SessionStore } from "../../store/port.ts"
import type { Start } from "../../tui/app/deps.ts"
import { runTui } from "../../tui/app/tui.ts"
import { processTerminal } from "../../tui/terminal/process-terminal.ts"
import { checkAllowed } from "../config/allow-option.ts"
import { askForTrust } from "../config/ask-for-trust.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT, UsageError } from "../port/errors.ts"
import { onStop, STOPPED } from "../process/interrupt.ts"
import { waitingNoteLines } from "../render/note-words.ts"
import { movedHere } from "../sessions/moved-here.ts"
import { processEvents } from "../tui/process-events.ts"
import { readKeys } from "../tui/read-keys.ts"

export interface TuiOptions extends AgentOptions {
  continue?: boolean
  resume?: string | true
  plain?: boolean
  prompt?: string[]
  /** Whose program begins the session. */
  agent?: string
}

export async function run(cli: Cli, options: TuiOptions): Promise<number> {
  const plain = options.plain === true || cli.env.TERM === "dumb"
  if (!plain && !(cli.in.isTerminal && cli.out.isTerminal)) {
    throw new UsageError("This needs a terminal.", "Use: retcon run PROMPT, or retcon --plain")
  }
  if (plain && options.agent !== undefined)
    throw new UsageError("--agent needs the screen.", "Begin it with: retcon run --agent NAME PROMPT")
  checkAllowed(options.allow)
  requireUsableConfig(cli.home, cli.cwd)
  await askForTrust(cli)
  const composition = await hostDeps(cli, { ...options, watched: cli.out.isTerminal })
  try {
    const { start, store } = await startOf(cli, options, composition.deps.store)
    const session = { ...composition.deps.session, via: "terminal" as const }
    const host = makeHost({ ...composition.deps, store, session }, options.model)
    const prompt = (options.prompt ?? []).join(" ").trim()
    const { agent } = options
    const opening = { host, start, ...(prompt === "" ? {} : { prompt }), ...(agent !== undefined && { agent }) }
    const here = [...(await movedHere(cli)), ...(await brokenHookLines(cli)), ...waitingNoteLines(cli)]
    const composed = { ...composition, notices: [...composition.notices, ...here] }
    if (plain) return await lines(cli, opening, composed)
    await screen(cli, opening, composed)
    return EXIT.done
  } finally {
    await composition.close()
  }
}

interface Opening {
  host: Host
  start: Start
  prompt?: string
  agent?: string
}

async function startOf(
  cli: Cli,
  options: TuiOptions,
  store: SessionStore,
): Promise<{ start: Start; store: SessionStore }> {
  if (options.continue === true) return { start: { kind: "continue" }, store }
  if (options.resume === undefined) return { start: { kind: "new" }, store }
  if (options.resume === true) return { start: { kind: "resume" }, store }
  const session = await workingSession(cli, options.resume, store)
  return { start: { kind: "resume", id: session.id }, store: session.store }
}

async function lines(cli: Cli, opening: Opening, { notices }: Composition): Promise<number> {
  for (const notice of notices) cli.err.write(`${notice}\n`)
  let exit: number = EXIT.done
  const { runPlain } = await import("../../tui/plain/plain.ts")
  await runPlain({
    ...opening,
    cwd: cli.cwd,
    lines: typedLines(process.stdin),
    steers: cli.in.isTerminal,
    asks: !cli.in.isPiped,
    ...(cli.in.isTerminal && cli.out.isTerminal
      ? { screen: () => ({ rows: cli.out.height ?? 24, columns: cli.out.width }) }
      : {}),
    now: cli.now,
    find: (query, job) => libraryApart(cli).find(query, job),
    exportSession: async (session, name) =>
      (await import("../tui/export-markdown.ts")).exportMarkdown(cli, session, name),
    doctor: async (session) => (await import("../tui/doctor-page.ts")).examineOpen(cli, session),
    write: (text) => cli.out.write(text),
    onInterrupt(call) {
      let forget = listen()
      // Until someone listens again, a second Ctrl-C ends the program at once.
      function listen(): () => void {
        return onStop((code) => {
          forget()
          exit = code
          void call(code === STOPPED.SIGINT ? "stop" : "leave").then((did) => {
            if (did === "left") return
            exit = EXIT.done
            forget = listen()
          })
        })
      }
      return () => forget()
    },
  })
  // A pipe that stays open must not keep the program running.
  process.stdin.destroy()
  return exit
}

/** Reads only on demand: what is in a pipe before the session is open must not be lost. */
function typedLines(input: NodeJS.ReadStream): AsyncIterable<string> {
  return { [Symbol.asyncIterator]: () => createInterface({ input, terminal: false })[Symbol.asyncIterator]() }
}

async function screen(cli: Cli, opening: Opening, composition: Composition): Promise<void> {
  const { notices, models, noKey, personEnv } = composition
  const terminal = processTerminal({ in: process.stdin, out: process.stdout })
  const { keys, notices: problems } = readKeys(cli.home)
  const events = processEvents(process, terminal)
  try {
    await runTui({
      ...opening,
      terminal,
      cwd: cli.cwd,
      now: cli.now,
      elapsed: () => performance.now(),
      colours: cli.out.colours,
      notify: cli.settings.notify,
      keys,
      notices: [...notices, ...problems],
      completeFiles: completeFiles(cli.cwd, { now: () => performance.now() }),
      advice: async () => (await import("../tui/tmux-hint.ts")).tmuxHint(personEnv, cli.cwd),
      spentBefore: (session) => spentBefore(cli, session),
      pastPrompts: () => pastPrompts(cli),
      readImage: async (path) => (await import("../tui/image.ts")).readImage(cli.cwd, path),
      clipboardImage: async () => (await import("../tui/image.ts")).clipboardImage(personEnv, cli.cwd),
      editText: async (text) => (await import("../tui/edit-text.ts")).editText(personEnv, cli.cwd, text),
      runThere: async (command, folder) =>
        (await import("../tui/run-agent-program.ts")).runAgentProgram(cli.env, command, folder || cli.cwd),
      find: (query, job) => libraryApart(cli).find(query, job),
      exportSession: async (session, name) =>
        (await import("../tui/export-markdown.ts")).exportMarkdown(cli, session, name),
      searchContents: async (...wanted) => (await import("../tui/search-contents.ts")).searchContents(cli)(...wanted),
      previewSession: async (session, entry) =>
        (await import("../../app/library/preview-session.ts")).previewSession(cli, session, entry),
      doctor: async (session) => (await import("../tui/doctor-page.ts")).examineOpen(cli, session),
      models,
      noKey,
      ...events,
    })
  } finally {
    events.close()
  }
}
