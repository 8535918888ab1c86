// Which session a command means: one that is named, or the most recent one of this directory.
import { resolve } from "node:path"
import { directoryOf, snapshotStoreOf } from "../../history/tree/directory.ts"
import { NONE } from "../../history/tree/tree.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { closeOnFailure } from "../../model/close-on-failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { parseSessionId, type SessionId, shortId } from "../../model/id.ts"
import { KIND } from "../../model/record/kind.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { canContinue } from "../../protocol/can-continue.ts"
import { recoverAll } from "../../session/files/recovered-words.ts"
import { type Session, sessionOn } from "../../session/session.ts"
import { sessionsFolder } from "../../store/file/disk/layout.ts"
import { sessionFiles } from "../../store/file/folder/names.ts"
import { newestFirst } from "../../store/log-summary.ts"
import type { SessionLog, SessionStore, SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { loadAgentCopies } from "./load-agent-copies.ts"
import { isEmpty, isTask } from "./session-kinds.ts"
import { noneToUse, unreadable } from "./unreadable.ts"

export interface SessionChoice {
  /** The argument of -s. */
  session?: string | undefined
}

/**
 * Opens the chosen session. Close it when done. Contract: throws `not-found`, `ambiguous` or `no-session`, or what
 * opening a log throws.
 */
export async function openChosen(cli: Cli, choice: SessionChoice): Promise<Session> {
  const log = await openLog(cli, choice)
  return closeOnFailure(log, () => sessionOn(cli.store, log, cli.sessionOptions))
}

async function openLog(cli: Cli, { session: name }: SessionChoice): Promise<SessionLog> {
  if (name !== undefined && isPath(name)) return cli.store.openFile(resolve(cli.cwd, name))
  if (name !== undefined) return cli.store.open(await idNamed(cli, name))
  // By its file: a copy of a session in another directory has the same id.
  const { file, id, agent } = await latest(cli)
  return file === undefined || agent !== undefined ? cli.store.open(id) : cli.store.openFile(file)
}

/**
 * The session with this name, of any agent. Ours first: other agents' folders are examined only if none of ours
 * matches. Contract: throws `not-found` or `ambiguous`.
 */
export async function idNamed(cli: Cli, name: string): Promise<SessionId> {
  try {
    return chosenId(cli, name)
  } catch (error) {
    if (!(error instanceof RetconError) || error.code !== "not-found") throw error
    return matchSession(await cli.store.foreign.list(), name)
  }
}

/** A session to run the agent in: its id, and a store that opens it by that id, also if it is in a file elsewhere. */
export interface WorkingSession {
  id: SessionId
  store: SessionStore
}

/** Contract: throws as `openChosen` does. */
export async function workingSession(cli: Cli, name: string, store: SessionStore): Promise<WorkingSession> {
  if (!isPath(name)) return { id: await idNamed(cli, name), store }
  const path = resolve(cli.cwd, name)
  const log = await cli.store.openFile(path)
  await log.close()
  const open = (id: SessionId) => (id === log.id ? cli.store.openFile(path) : store.open(id))
  return { id: log.id, store: { ...store, open } }
}

/** The same with the files of its directory, if it has snapshots of them. Finishes a killed restore first. */
async function openWithFiles(cli: Cli, choice: SessionChoice): Promise<Session> {
  const log = await openLog(cli, choice)
  return closeOnFailure(log, async () => {
    const covered = log.history.last(KIND.snapshot) !== NONE || (await loadAgentCopies(log)) !== undefined
    return covered ? sessionWithFiles(cli, log) : sessionOn(cli.store, log, cli.sessionOptions)
  })
}

/** A session on an open log with the files of its directory, even if it has no snapshots yet. */
async function sessionWithFiles(cli: Cli, log: SessionLog): Promise<Session> {
  const earlier = await loadAgentCopies(log)
  const { openWorkspace } = await import("./workspace.ts")
  const workspace = await openWorkspace(cli, directoryOf(log), log.id, snapshotStoreOf(log.history))
  return closeOnFailure(workspace, async () => {
    const session = sessionOn(cli.store, log, {
      ...cli.sessionOptions,
      workspace,
      files: cli.settings.files,
      ...(earlier !== undefined && { earlier }),
    })
    for (const line of await recoverAll(session)) cli.err.write(`retcon: ${line}\n`)
    return session
  })
}

/** A session named after the command or with -s, not both. */
export function namedOnce(options: SessionChoice & { id?: string | undefined }): SessionChoice {
  if (options.id !== undefined && options.session !== undefined && options.id !== options.session) {
    throw new UsageError("You named two sessions.", "Name one, with or without -s.")
  }
  return { session: options.id ?? options.session }
}

/** Runs `work` with the chosen session, and closes it. */
export function withChosen<Value>(
  cli: Cli,
  choice: SessionChoice,
  work: (session: Session) => Promise<Value>,
): Promise<Value> {
  return closing(openChosen(cli, choice), work)
}

/** The same with the files of its directory. */
export function withChosenFiles<Value>(
  cli: Cli,
  choice: SessionChoice,
  work: (session: Session) => Promise<Value>,
): Promise<Value> {
  return closing(openWithFiles(cli, choice), work)
}

/** The same with a log that is already open. */
export function withFilesOf<Value>(
  cli: Cli,
  log: SessionLog,
  work: (session: Session) => Promise<Value>,
): Promise<Value> {
  return closing(
    closeOnFailure(log, () => sessionWithFiles(cli, log)),
    work,
  )
}

async function closing<Value>(opening: Promise<Session>, work: (session: Session) => Promise<Value>): Promise<Value> {
  const session = await opening
  try {
    return await work(session)
  } finally {
    try {
      await session.close()
    } finally {
      await session.files.workspace?.close()
    }
  }
}

function chosenId(cli: Cli, name: string): SessionId {
  const ids = sessionFiles(sessionsFolder(cli.home)).map(({ id }) => id)
  return matchId(ids, name)
}

const SHORTEST = 4

/** Contract: `name` is an id or its beginning or end, in any case. Throws `not-found` or `ambiguous`. */
export function matchId(ids: readonly SessionId[], name: string): SessionId {
  return matchSession(
    ids.map((id) => ({ id })),
    name,
  )
}

/** The same, also by the agent's own name for a session, its beginning or end. */
export function matchSession(sessions: readonly Pick<SessionSummary, "id" | "name">[], name: string): SessionId {
  const whole = sessions.find((session) => session.name === name)
  if (whole !== undefined) return whole.id
  const part = name.toLowerCase()
  const exact = parseSessionId(part)
  if (exact !== undefined && sessions.some(({ id }) => id === exact)) return exact
  const fits = (text: string) => text.startsWith(part) || text.endsWith(part)
  const named = (session: { name?: string | undefined }) => {
    const own = session.name?.toLowerCase() ?? ""
    // Some agents begin every name alike, such as `session_`: nobody types that.
    return fits(own) || own.replace(/^[a-z]+_/, "").startsWith(part)
  }
  const all = sessions.filter((session) => session.id !== exact && (fits(session.id) || named(session)))
  const matches = part.length < SHORTEST ? [] : [...new Set(all.map(({ id }) => id))]
  const only = matches[0]
  if (only === undefined) throw new RetconError({ code: "not-found", what: "session", name: sanitiseLine(name) })
  if (matches.length > 1) throw new RetconError({ code: "ambiguous", what: "session", name, matches: apart(matches) })
  return only
}

/** The shortest ends of these ids that distinguish them. */
function apart(ids: readonly SessionId[]): string[] {
  let length = shortId(ids[0] ?? "").length
  while (length < 36 && new Set(ids.map((id) => id.slice(-length))).size < ids.length) length++
  return ids.map((id) => id.slice(-length))
}

/** Ours; another agent's if there is none of ours. The same for every command: what `prompts` numbers, `goto` goes to. */
async function latest(cli: Cli): Promise<SessionSummary> {
  const ours = await cli.store.list({ cwd: cli.cwd })
  const last = ours.find(canContinue)
  if (last !== undefined) return last
  const theirs = (await cli.store.foreign.list({ cwd: cli.cwd })).sort(newestFirst)
  const lastOfTheirs = theirs.find((session) => !isTask(session) && !session.archived)
  if (lastOfTheirs !== undefined) return lastOfTheirs
  const here = [...ours, ...theirs]
  const found = here
    .filter((session) => !isEmpty(session))
    .slice(0, MOST_FOUND)
    .map((session) => ({ id: shortId(session.id), agent: passedOver(session), title: sanitiseLine(session.title) }))
  const unopened = unreadable(cli, ours, "here")
  if (found.length === 0 && unopened.length > 0) throw await noneToUse(cli, unopened)
  const moved = here.length === 0 ? await movedFrom(cli) : undefined
  throw new RetconError({ code: "no-session", cwd: cli.cwd, found, ...(moved !== undefined && { moved }) })
}

/** The folder that may have been moved here. */
async function movedFrom(cli: Cli): Promise<string | undefined> {
  const { findMoved } = await import("./find-moved.ts")
  return (await findMoved(cli))[0]?.folder
}

/** How many are named if none can be chosen. */
const MOST_FOUND = 5

function passedOver(session: SessionSummary): string {
  if (session.agent !== undefined) return agentTitle(session.agent)
  return isTask(session) ? "retcon, a task" : "retcon, archived"
}

export function isPath(name: string): boolean {
  return name.includes("/") || name.endsWith(".jsonl")
}
