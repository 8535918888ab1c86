// Opens the session that a command means: one that is named, or the latest one here.
import { resolve } from "node:path"
import { directoryOf, snapshotStoreOf } from "../../history/tree/directory.ts"
import { NONE } from "../../history/tree/tree.ts"
import { closeOnFailure } from "../../model/close-on-failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { parseSessionId, type SessionId, shortId } from "../../model/id.ts"
import { KIND } from "../../model/record/kind.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { shellWord } from "../../model/text/shell-word.ts"
import { recoverAll } from "../../session/files/recovered-words.ts"
import { type Session, sessionOn } from "../../session/session.ts"
import { sessionsFolder } from "../../store/file/disk/layout.ts"
import { sessionFiles } from "../../store/file/folder/names.ts"
import type { SessionLog, SessionStore, SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { loadAgentCopies } from "./load-agent-copies.ts"
import { meantLine, sessionMeant } from "./which-session.ts"

export interface SessionChoice {
  /** The argument of -s. */
  session?: string | undefined
  /** Nobody is asked, and standard error is for errors. */
  json?: boolean | undefined
  /** What the command prints names the session. */
  named?: boolean
}

/**
 * How a command that is printed as a hint has to name the session: " -s 7b0c26", or "" if it is meant anyway, because there is
 * no other.
 */
export type Which = string

interface OpenLog {
  log: SessionLog
  which: Which
}

/**
 * Opens the chosen session. Close it when done. Contract: throws `not-found`, `ambiguous` or `no-session`, or what
 * opening a log throws.
 */
export async function openChosen(cli: Cli, choice: SessionChoice): Promise<Session> {
  return (await chosenSession(cli, choice)).session
}

async function chosenSession(cli: Cli, choice: SessionChoice): Promise<OpenSession> {
  const { log, which } = await openLog(cli, choice)
  return { which, session: await closeOnFailure(log, () => sessionOn(cli.store, log, cli.sessionOptions)) }
}

async function openLog(cli: Cli, { session: name, json = false, named = false }: SessionChoice): Promise<OpenLog> {
  if (name !== undefined && isPath(name))
    return { log: await cli.store.openFile(resolve(cli.cwd, name)), which: ` -s ${shellWord(name)}` }
  if (name !== undefined) {
    const id = await idNamed(cli, name)
    return { log: await cli.store.open(id), which: ` -s ${shortId(id)}` }
  }
  const { session, others } = await sessionMeant(cli, !json)
  const { file, id, agent } = session
  const obvious = others === 0 && agent === undefined && session.cwd === cli.cwd
  if (!obvious && !json && !(named && session.cwd === cli.cwd)) cli.err.write(`${meantLine(cli, session)}\n`)
  // By its file: a copy of a session in another directory has the same id.
  const log = await (file === undefined || agent !== undefined ? cli.store.open(id) : cli.store.openFile(file))
  return { log, which: obvious ? "" : ` -s ${shortId(id)}` }
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
async function openWithFiles(cli: Cli, choice: SessionChoice): Promise<OpenSession> {
  const { log, which } = await openLog(cli, choice)
  const session = await closeOnFailure(log, async () => {
    const covered = log.history.last(KIND.snapshot) !== NONE || (await loadAgentCopies(log)) !== undefined
    return covered ? sessionWithFiles(cli, log) : sessionOn(cli.store, log, cli.sessionOptions)
  })
  return { session, which }
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
  return { session: options.id ?? options.session, json: options.json }
}

interface OpenSession {
  session: Session
  which: Which
}

type Work<Value> = (session: Session, which: Which) => Promise<Value>

/** Runs `work` with the chosen session, and closes it. */
export function withChosen<Value>(cli: Cli, choice: SessionChoice, work: Work<Value>): Promise<Value> {
  return closing(chosenSession(cli, choice), work)
}

/** The same with the files of its directory. */
export function withChosenFiles<Value>(cli: Cli, choice: SessionChoice, work: Work<Value>): Promise<Value> {
  return closing(openWithFiles(cli, choice), work)
}

/** The same with a log that is already open. */
export function withFilesOf<Value>(
  cli: Cli,
  log: SessionLog,
  work: (session: Session) => Promise<Value>,
): Promise<Value> {
  const opening = closeOnFailure(log, () => sessionWithFiles(cli, log))
  return closing(
    opening.then((session) => ({ session, which: "" })),
    work,
  )
}

/** What fails is about this session: the commands that an error advises name it too. */
async function closing<Value>(opening: Promise<OpenSession>, work: Work<Value>): Promise<Value> {
  const { session, which } = await opening
  try {
    return await work(session, which)
  } catch (error) {
    if (error instanceof RetconError) error.which ??= which
    throw error
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

export function isPath(name: string): boolean {
  return name.includes("/") || name.endsWith(".jsonl")
}
