// retcon: the agent in this terminal; with --plain, as lines.
import { createInterface } from "node:readline"
import { makeHost } from "../../host/host.ts"
import { parseSessionId } from "../../model/id.ts"
import type { Host } from "../../protocol/host.ts"
import type { Start } from "../../tui/parts.ts"
import { checkAllowed } from "../allowed.ts"
import type { Cli } from "../cli.ts"
import { UsageError } from "../errors.ts"
import { type AgentOptions, type Composition, hostParts } from "../host-parts.ts"
import { matchId } from "../select.ts"
import { askForTrust } from "../trust.ts"
import { completeFiles } from "../tui/complete-files.ts"
import { examineOpen } from "../tui/doctor.ts"
import { editText } from "../tui/edit-text.ts"
import { exportSession } from "../tui/export.ts"
import { clipboardImage, readImage } from "../tui/image.ts"
import { readKeys } from "../tui/keys.ts"
import { previewSession } from "../tui/preview-session.ts"
import { processEvents } from "../tui/process.ts"
import { searchContents } from "../tui/search-contents.ts"

export interface TuiOptions extends AgentOptions {
  continue?: boolean
  resume?: string | true
  plain?: boolean
}

export async function run(cli: Cli, options: TuiOptions): Promise<number> {
  const plain = options.plain === true || cli.env.TERM === "dumb"
  if (!plain && !(cli.in.isTerminal && cli.out.isTerminal)) {
    throw new UsageError("This needs a terminal.", "Use: retcon run PROMPT, or retcon --plain")
  }
  checkAllowed(options.allow)
  await askForTrust(cli)
  const { parts, notices, models, personEnv, close } = await hostParts(cli, options)
  const host = makeHost(parts, options.model)
  try {
    const start = await startOf(host, options)
    await (plain ? lines(cli, host, start, notices) : screen(cli, host, start, { notices, models, personEnv }))
    return 0
  } finally {
    await close()
  }
}

async function startOf(host: Host, options: TuiOptions): Promise<Start> {
  if (options.continue === true) return { kind: "continue" }
  if (options.resume === undefined) return { kind: "new" }
  if (options.resume === true) return { kind: "resume" }
  const all = await host.list()
  const ids = all.map(({ id }) => id)
  return { kind: "resume", id: parseSessionId(options.resume) ?? matchId(ids, options.resume) }
}

async function lines(cli: Cli, host: Host, start: Start, notices: readonly string[]): Promise<void> {
  const { runPlain } = await import("../../tui/plain/plain.ts")
  for (const notice of notices) cli.err.write(`${notice}\n`)
  await runPlain({
    host,
    cwd: cli.cwd,
    start,
    lines: typedLines(process.stdin),
    steers: cli.in.isTerminal,
    write: (text) => cli.out.write(text),
  })
}

/** Nothing is read before somebody asks: what a pipe holds when the session is not open yet must not be lost. */
function typedLines(input: NodeJS.ReadStream): AsyncIterable<string> {
  return { [Symbol.asyncIterator]: () => createInterface({ input, terminal: false })[Symbol.asyncIterator]() }
}

type Composed = Pick<Composition, "notices" | "models" | "personEnv">

async function screen(cli: Cli, host: Host, start: Start, composed: Composed): Promise<void> {
  const { notices, models, personEnv } = composed
  const [{ runTui }, { processTerminal }] = await Promise.all([
    import("../../tui/tui.ts"),
    import("../../tui/terminal/process-terminal.ts"),
  ])
  const terminal = processTerminal({ in: process.stdin, out: process.stdout })
  const { keys, notices: problems } = readKeys(cli.home)
  const events = processEvents(process, terminal)
  try {
    await runTui({
      host,
      terminal,
      cwd: cli.cwd,
      start,
      now: cli.now,
      colours: cli.out.colours,
      notify: cli.settings.notify,
      keys,
      notices: [...notices, ...problems],
      completeFiles: completeFiles(cli.cwd),
      readImage: (path) => readImage(cli.cwd, path),
      clipboardImage: () => clipboardImage(personEnv, cli.cwd),
      editText: (text) => editText(personEnv, cli.cwd, text),
      exportSession: (session, name) => exportSession(cli, session, name),
      searchContents: searchContents(cli),
      previewSession: (session) => previewSession(cli, session),
      doctor: (session) => examineOpen(cli, session),
      models,
      ...events,
    })
  } finally {
    events.close()
  }
}
