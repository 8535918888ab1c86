// A copy of a path as another agent's session, with the command that resumes it there.
import { statSync } from "node:fs"
import { resolve, sep } from "node:path"
import type { NativeSession } from "../../foreign/native-session.ts"
import type { AgentHomes } from "../../formats/port.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { type EntryId, shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine, shellCommand } from "../../model/text/sanitise.ts"
import type { Beginning, Session } from "../../session/session.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { noteCopy } from "../sessions/unused-copies.ts"
import { promptBlock } from "./moved-text.ts"

export interface NativeOptions {
  /** The agent whose session it becomes. */
  to: string
  /** Where the path ends; the head by default. */
  at?: string | undefined
  /** Replaces the person's home: the agent's folders are created in it. */
  folder?: string | undefined
  dryRun?: boolean | undefined
  json?: boolean | undefined
}

export async function nativeCopy(cli: Cli, source: Session, options: NativeOptions): Promise<void> {
  const { to, at, dryRun = false } = options
  const beginning = source.beginning(at)
  const folder = directoryOf(source.log) || cli.cwd
  const title = source.log.agent === to ? beginning.title : ownTitle(source)
  const homes = options.folder === undefined ? undefined : homesIn(cli, options.folder)
  const native = await cli.store.foreign.compose(to, {
    entries: beginning.entries,
    cwd: folder,
    title,
    now: cli.sessionOptions.now(),
    newId: () => cli.sessionOptions.ids.session(),
    ...(homes !== undefined && { homes }),
  })
  if (!dryRun) native.save()
  const listed = dryRun || homes !== undefined ? undefined : await listedAs(cli, to, native)
  if (listed?.file !== undefined) noteCopy(cli.home, { file: listed.file, bytes: listed.bytes })
  const id = listed?.id
  const made: Made = { cli, source, to, native, beginning, folder, id, homes, dryRun }
  if (options.json === true) printJson(cli.out, jsonOf(made))
  else cli.out.write(`${[...linesOf(made)].join("\n")}\n`)
}

interface Made {
  cli: Cli
  source: Session
  to: string
  native: NativeSession
  beginning: Beginning
  /** Where to resume it. */
  folder: string
  id: string | undefined
  homes: AgentHomes | undefined
  dryRun: boolean
}

function ownTitle(source: Session): string | undefined {
  const title = source.config().get("title") ?? source.history.titleBeside
  return typeof title === "string" && title !== "" ? title : undefined
}

/** A folder in place of the home, without this machine's variables. */
function homesIn(cli: Cli, folder: string): AgentHomes {
  const home = resolve(cli.cwd, folder)
  if (statSync(home, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new RetconError({ code: "not-found", what: "folder", name: home })
  return { home, env: {} }
}

/** What our lists say of it. */
async function listedAs(cli: Cli, agent: string, { files }: NativeSession): Promise<SessionSummary | undefined> {
  const listed = await cli.store.foreign.list({ agents: [agent] })
  const isIts = (file: string) => files.some(({ path }) => path === file || path.startsWith(file + sep))
  return listed.find(({ file, from }) => file !== undefined && from?.as !== "task" && isIts(file))
}

/** Contract (docs/cli.md). */
function jsonOf({ source, to, native, beginning, folder, id, dryRun }: Made): object {
  return {
    dryRun,
    agent: to,
    session: id ?? null,
    from: { session: source.id, entry: beginning.head },
    files: native.files.map(({ path, bytes }) => ({ path, bytes: bytes.length })),
    cwd: folder,
    resume: native.resume,
    lost: native.lost,
    prompt: beginning.prompt,
  }
}

function* linesOf(made: Made): Generator<string> {
  const { source, to, native, beginning, id, dryRun } = made
  const where = beginning.head === null ? "the empty conversation" : `the path to ${shortId(beginning.head)}`
  const named = id === undefined ? "a session" : `session ${shortId(id)}`
  const did = dryRun ? "Would create" : "Created"
  const rest = dryRun ? "Nothing was written." : `Session ${shortId(source.id)} is unchanged.`
  yield `${did} ${named} of ${agentTitle(to)} from ${where}. ${rest}`
  for (const { path } of native.files) yield `  ${sanitiseLine(path)}`
  yield* lostLines(agentTitle(to), native.lost)
  if (!dryRun) yield* resumeLines(made)
  if (beginning.prompt !== null) yield `\n${promptBlock(beginning.prompt.text)}`
}

/** How many entries are named for each thing that a format cannot express. */
const MOST_NAMED = 5

function* lostLines(title: string, lost: NativeSession["lost"]): Generator<string> {
  if (lost.length === 0) return
  const byWhat = new Map<string, Set<EntryId>>()
  for (const { entry, what } of lost) byWhat.set(what, (byWhat.get(what) ?? new Set()).add(entry))
  yield `A ${title} session cannot hold:`
  for (const [what, entries] of byWhat) {
    const ids = [...entries].slice(0, MOST_NAMED).map(shortId)
    const more = entries.size > MOST_NAMED ? ", …" : ""
    yield `  ${sanitiseLine(what)} (${count(entries.size, "entry", "entries")}: ${ids.join(", ")}${more})`
  }
}

function* resumeLines({ cli, to, native, folder, homes }: Made): Generator<string> {
  const command = sanitiseLine(shellCommand(native.resume, { needed: folder, current: cli.cwd }))
  if (homes === undefined) yield `Resume it with: ${command}`
  else
    yield `Copy the contents of ${sanitiseLine(homes.home)} into a home folder to resume it in ${agentTitle(to)}: ${command}`
}
