// retcon blame PATH [LINE]: which prompt of which session last changed each line. retcon why FILE:LINE | COMMIT: which prompt is behind
// it, and how certain that is.
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { makeLibrary } from "../../app/library/library.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import { ago, count } from "../../model/text/amounts.ts"
import { clip, pad, sanitise, sanitiseLine, wrap } from "../../model/text/sanitise.ts"
import type { BlameAnswer, BlamedLine, WhyAnswer, WhyRequest } from "../../protocol/library.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { page } from "../render/pager.ts"
import { progress } from "../render/progress.ts"
import { styleFor } from "../render/style.ts"
import { atChosen, type SessionChoice } from "../sessions/select.ts"
import { meantLine } from "../sessions/which-session.ts"

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
  const answer = await blamed(cli, options)
  const wanted = answer.lines.filter((each) => line === undefined || each.line === line)
  if (wanted.length === 0 && line !== undefined) {
    const advice = "Leave out the line number to see the whole file."
    throw new RetconError({ code: "invalid", problem: `${options.path} has no line ${line}.`, advice })
  }
  if (options.json === true) return printJson(cli.out, wanted)
  // A pipe gets only the lines of the file.
  const notes = [...noteLines(cli, { ...answer, lines: wanted })].flatMap((note) =>
    wrap(note, Math.max(20, cli.out.width)),
  )
  if (!cli.out.isTerminal) for (const note of notes) cli.err.write(`${note}\n`)
  await page(cli, [...screen(cli, wanted), ...(cli.out.isTerminal ? notes : [])])
}

/** By all sessions that worked on the file, or by the one that was named. */
function blamed(cli: Cli, { path: file, ...choice }: BlameOptions): Promise<BlameAnswer> {
  const library = makeLibrary(cli)
  if (choice.session !== undefined) return atChosen(cli, choice, (session) => library.blame({ file, session }))
  const shown = progress(cli, "Asking sessions")
  return library.blame({ file }, shown).finally(shown.done)
}

const WIDEST = 30
const NOBODY = "you, or before"

/** The lines of the file. On a screen they are clipped, in a pipe they are complete. */
function* screen(cli: Cli, lines: readonly BlamedLine[]): Generator<string> {
  const { width, isTerminal } = cli.out
  const style = styleFor(cli.out)
  const wide = Math.max(6, Math.min(WIDEST, Math.floor((width * 3) / 8)))
  const digits = String(lines.at(-1)?.line ?? 1).length
  const several = writersOf(lines).size > 1
  for (const each of lines) {
    const name = clip(nameOf(each, several), wide)
    const who = each.prompt === null ? style.quiet : style.id
    const number = pad(String(each.line), digits, "left")
    const content = sanitise(each.text).replaceAll("\n", "").replaceAll("\t", "    ")
    const shown = isTerminal ? clip(content, width - wide - digits - 3) : content
    yield `${who(pad(name, wide))} ${number}  ${shown}`.trimEnd()
  }
}

/** With the session's id if there are several. */
function nameOf({ session, prompt, asked, known }: BlamedLine, several: boolean): string {
  if (prompt === null || session === null) return NOBODY
  const mark = known === "call" ? "~" : ""
  return `${several ? `${shortId(session)} ` : ""}${shortId(prompt)}${mark} ${sanitiseLine(asked ?? "")}`
}

function writersOf(lines: readonly BlamedLine[]): Set<string> {
  return new Set(lines.flatMap(({ session }) => session ?? []))
}

/** Whose sessions these are, and what is not known. */
function* noteLines(cli: Cli, { lines, sessions, unwatched }: BlameAnswer): Generator<string> {
  const writers = writersOf(lines)
  const found = sessions.filter(({ session }) => writers.has(session))
  if (found.length > 1 || found.some(({ agent }) => agent !== "retcon"))
    for (const { session: id, ...each } of found) yield meantLine(cli, { id, ...each })
  if (lines.some(({ known }) => known === "call"))
    yield "~ There are no snapshots of this; a call of that prompt that names the file has this line."
  if (unwatched.length === 0 || lines.every(({ prompt }) => prompt !== null)) return
  const [none, some] = [false, true].map((partly) => unwatched.filter((each) => each.partly === partly))
  if (none?.length) yield `${whose(none)} no snapshots: a line that a command wrote there counts as "${NOBODY}".`
  if (some?.length)
    yield `${whose(some)} snapshots of some calls only: a line that a command wrote without them counts as "${NOBODY}".`
  yield "retcon hooks status shows what is protected from now on."
}

/** "2 sessions of Codex, Claude Code have". */
function whose(sessions: BlameAnswer["unwatched"]): string {
  const agents = [...new Set(sessions.map(({ agent }) => agentTitle(agent)))].join(", ")
  return `${count(sessions.length, "session")} of ${agents} ${sessions.length === 1 ? "has" : "have"}`
}

export async function why(cli: Cli, options: { place: string; json?: boolean }): Promise<void> {
  const request = requestOf(cli, options.place)
  const shown = progress(cli, "Asking sessions")
  const answer = await makeLibrary(cli).why(request, shown).finally(shown.done)
  if (options.json === true) return printJson(cli.out, answer)
  cli.out.write([...whyScreen(cli, answer)].map((line) => `${line}\n`).join(""))
}

function requestOf(cli: Cli, place: string): WhyRequest {
  const [, file, line] = /^(.+):(\d+)$/.exec(place) ?? []
  if (file !== undefined && line !== undefined) return { file: resolve(cli.cwd, file), line: Math.max(1, Number(line)) }
  if (existsSync(resolve(cli.cwd, place)))
    throw new UsageError(
      `${sanitiseLine(place)} needs a line.`,
      `Name one: retcon why ${sanitiseLine(place)}:1. For all lines: retcon blame ${sanitiseLine(place)}`,
    )
  return { commit: place, cwd: cli.cwd }
}

const GRADES = { recorded: "Recorded", said: "Said", likely: "Likely" } as const

function* whyScreen(cli: Cli, { line, commit, writers }: WhyAnswer): Generator<string> {
  const { width } = cli.out
  const style = styleFor(cli.out)
  if (line !== null) yield style.strong(clip(`${line.line}  ${sanitiseLine(line.text)}`, width))
  if (commit !== null)
    yield clip(
      `commit ${style.id(commit.commit.slice(0, 10))}  ${ago(commit.at, cli.now())}  ${sanitiseLine(commit.subject)}`,
      width,
    )
  if (writers.length === 0) {
    yield* wrap("No session on this machine says who wrote it: you did, or one that is no longer here.", width)
    return
  }
  for (const { grade, because, session, agent, title, asked, prompt, entry, at } of writers) {
    const when = at === null ? "" : `, ${ago(at, cli.now())}`
    yield ""
    yield* wrap(`${GRADES[grade]}: ${because}.`, width)
    const named = title === "" || title === asked ? "" : ` · ${sanitiseLine(title)}`
    yield clip(`  ${shortId(session)}  ${agentTitle(agent)}${when}${named}`, width)
    yield clip(`  ${style.person("you")}  ${sanitiseLine(asked)}`, width)
    yield style.quiet(
      clip(`  See it with: retcon show --entry ${shortId(prompt ?? entry)} -s ${shortId(session)}`, width),
    )
  }
}
