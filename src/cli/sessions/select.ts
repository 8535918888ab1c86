// Opens the session that a command means: one that is named, or the latest one here.
import { resolve } from "node:path"
import { idNamed, isPath, openPlace } from "../../app/library/named-session.ts"
import { loadAgentCopies } from "../../app/open/load-agent-copies.ts"
import { closeWithFiles, sessionWithFiles } from "../../app/open/with-files.ts"
import { NONE } from "../../history/tree/tree.ts"
import { closeOnFailure } from "../../model/close-on-failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import { KIND } from "../../model/record/record.ts"
import { shellWord } from "../../model/text/sanitise.ts"
import type { SessionAt } from "../../protocol/library.ts"
import { type Session, sessionOn } from "../../session/session.ts"
import type { SessionLog } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
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

async function chosenSession(cli: Cli, choice: SessionChoice): Promise<OpenSession> {
  const { log, which } = await openLog(cli, choice)
  return { which, session: await closeOnFailure(log, () => sessionOn(cli.store, log, cli.sessionOptions)) }
}

async function openLog(cli: Cli, choice: SessionChoice): Promise<OpenLog> {
  const { place, which } = await placeChosen(cli, choice)
  return { log: await openPlace(cli.store, place), which }
}

async function placeChosen(
  cli: Cli,
  { session: name, json = false, named = false }: SessionChoice,
): Promise<{ place: SessionAt; which: Which }> {
  if (name !== undefined && isPath(name))
    return { place: { path: resolve(cli.cwd, name) }, which: ` -s ${shellWord(name)}` }
  if (name !== undefined) {
    const id = await idNamed(cli, name)
    return { place: id, which: ` -s ${shortId(id)}` }
  }
  const { session, others } = await sessionMeant(cli, !json)
  const { file, id, agent } = session
  const obvious = others === 0 && agent === undefined && session.cwd === cli.cwd
  if (!obvious && !json && !(named && session.cwd === cli.cwd)) cli.err.write(`${meantLine(cli, session)}\n`)
  // By its file: a copy of a session in another directory has the same id.
  const place = file === undefined || agent !== undefined ? id : { path: file }
  return { place, which: obvious ? "" : ` -s ${shortId(id)}` }
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

/**
 * Runs `work` with the chosen session, and closes it. Contract: throws `not-found`, `ambiguous` or `no-session`, or what opening a
 * log throws.
 */
export function withChosen<Value>(cli: Cli, choice: SessionChoice, work: Work<Value>): Promise<Value> {
  return closing(chosenSession(cli, choice), work)
}

/** The same with the files of its directory. */
export function withChosenFiles<Value>(cli: Cli, choice: SessionChoice, work: Work<Value>): Promise<Value> {
  return closing(openWithFiles(cli, choice), work)
}

/** The same for work that opens it by itself. */
export async function atChosen<Value>(
  cli: Cli,
  choice: SessionChoice,
  work: (place: SessionAt) => Promise<Value>,
): Promise<Value> {
  const { place, which } = await placeChosen(cli, choice)
  return about(which, () => work(place))
}

/** What fails is about this session: the commands that an error advises name it too. */
async function about<Value>(which: Which, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RetconError) error.which ??= which
    throw error
  }
}

async function closing<Value>(opening: Promise<OpenSession>, work: Work<Value>): Promise<Value> {
  const { session, which } = await opening
  try {
    return await about(which, () => work(session, which))
  } finally {
    await closeWithFiles(session)
  }
}
