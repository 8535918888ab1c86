// retcon blame PATH [LINE]: which prompt of which session last changed each line.
import { statSync } from "node:fs"
import { resolve } from "node:path"
import {
  type FileBlame,
  type UnwatchedSession,
  type Writer,
  type WrittenLine,
  whoWrote,
} from "../../app/library/who-wrote.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { clip, pad, sanitise, sanitiseLine, wrap } from "../../model/text/sanitise.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { page } from "../render/pager.ts"
import { progress } from "../render/progress.ts"
import { styleFor } from "../render/style.ts"
import { openChosen, type SessionChoice } from "../sessions/select.ts"
import { meantLine } from "../sessions/which-session.ts"
import { linkedPath, workspacePath } from "../sessions/workspace-path.ts"

interface BlameOptions extends SessionChoice {
  path: string
  line?: string
  json?: boolean
}

export async function run(cli: Cli, options: BlameOptions): Promise<void> {
  const line = options.line === undefined ? undefined : Number(options.line)
  if (line !== undefined && (!Number.isInteger(line) || line < 1)) {
    throw new UsageError(`"${options.line}" is not a line number.`, "Use 1, 2, 3, …")
  }
  const { lines, unwatched } = await blamed(cli, options)
  const wanted = lines.filter((each) => line === undefined || each.line === line)
  if (wanted.length === 0 && line !== undefined) {
    const advice = "Leave out the line number to see the whole file."
    throw new RetconError({ code: "invalid", problem: `${options.path} has no line ${line}.`, advice })
  }
  if (options.json === true) return printJson(cli.out, wanted.map(jsonLine))
  // A pipe gets only the lines of the file.
  const notes = [...noteLines(cli, wanted, unwatched)].flatMap((note) => wrap(note, Math.max(20, cli.out.width)))
  if (!cli.out.isTerminal) for (const note of notes) cli.err.write(`${note}\n`)
  await page(cli, [...screen(cli, wanted), ...(cli.out.isTerminal ? notes : [])])
}

/** By all sessions that worked on the file, or by the one that was named. */
async function blamed(cli: Cli, { path, ...choice }: BlameOptions): Promise<FileBlame> {
  if (choice.session === undefined) {
    const shown = progress(cli, "Asking sessions")
    const file = fileAt(path, linkedPath(resolve(cli.cwd, path)))
    return whoWrote(cli, file, { tick: shown.tick }).finally(shown.done)
  }
  const session = await openChosen(cli, choice)
  try {
    const file = fileAt(path, resolve(directoryOf(session.log), workspacePath(cli, session, path)))
    return await whoWrote(cli, file, { only: session.log })
  } finally {
    await session.close()
  }
}

function fileAt(typed: string, file: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) return file
  throw new RetconError({ code: "invalid", problem: `${typed} is a folder.`, advice: "Name a file in it." })
}

/** Contract (docs/cli.md). */
function jsonLine({ line, text, by }: WrittenLine): object {
  const { prompt = null, session, known = null } = by ?? {}
  return {
    line,
    text,
    prompt,
    session: session?.id ?? null,
    agent: session ? (session.agent ?? "retcon") : null,
    known,
  }
}

const WIDEST = 30
const NOBODY = "you, or before"

/** The lines of the file. On a screen they are clipped, in a pipe they are complete. */
function* screen(cli: Cli, lines: readonly WrittenLine[]): Generator<string> {
  const { width, isTerminal } = cli.out
  const style = styleFor(cli.out)
  const wide = Math.max(6, Math.min(WIDEST, Math.floor((width * 3) / 8)))
  const digits = String(lines.at(-1)?.line ?? 1).length
  const several = writers(lines).length > 1
  for (const { line, text, by } of lines) {
    const who = by === undefined ? style.quiet : style.id
    const name = clip(by === undefined ? NOBODY : nameOf(by, several), wide)
    const number = pad(String(line), digits, "left")
    const content = sanitise(text).replaceAll("\n", "").replaceAll("\t", "    ")
    const shown = isTerminal ? clip(content, width - wide - digits - 3) : content
    yield `${who(pad(name, wide))} ${number}  ${shown}`.trimEnd()
  }
}

/** With the session's id if there are several. */
function nameOf({ session, prompt, text, known }: Writer, several: boolean): string {
  const mark = known === "call" ? "~" : ""
  return `${several ? `${shortId(session.id)} ` : ""}${shortId(prompt)}${mark} ${sanitiseLine(text)}`
}

function writers(lines: readonly WrittenLine[]): SessionSummary[] {
  const found = new Map(lines.flatMap(({ by }) => (by === undefined ? [] : [[by.session.id, by.session] as const])))
  return [...found.values()]
}

/** Whose sessions these are, and what is not known. */
function* noteLines(
  cli: Cli,
  lines: readonly WrittenLine[],
  unwatched: readonly UnwatchedSession[],
): Generator<string> {
  const found = writers(lines)
  const [only] = found
  if (found.length > 1 || only?.agent !== undefined) for (const each of found) yield meantLine(cli, each)
  if (lines.some(({ by }) => by?.known === "call"))
    yield "~ There are no snapshots of this; a call of that prompt that names the file has this line."
  if (unwatched.length === 0 || lines.every(({ by }) => by !== undefined)) return
  const [none, some] = [false, true].map((partly) => unwatched.filter((each) => each.partly === partly))
  if (none?.length) yield `${whose(none)} no snapshots: a line that a command wrote there counts as "${NOBODY}".`
  if (some?.length)
    yield `${whose(some)} snapshots of some calls only: a line that a command wrote without them counts as "${NOBODY}".`
  yield "retcon hooks status shows what is protected from now on."
}

/** "2 sessions of Codex, Claude Code have". */
function whose(sessions: readonly UnwatchedSession[]): string {
  const agents = [...new Set(sessions.map(({ session: { agent = "retcon" } }) => agentTitle(agent)))].join(", ")
  return `${count(sessions.length, "session")} of ${agents} ${sessions.length === 1 ? "has" : "have"}`
}
