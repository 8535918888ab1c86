// Which session a command means if none is named: the latest one here, whoever's it is. If two agents have just been at work, the
// person is asked. The same for every command: what `prompts` numbers, `goto` goes to.
import { realpathSync } from "node:fs"
import { foldersHere } from "../../app/library/repository-sessions.ts"
import { isEmpty, isTask } from "../../app/library/session-kinds.ts"
import { withoutUnused } from "../../app/library/unused-copies.ts"
import { noneToUse, unreadable } from "../../app/protection/unreadable.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import { age } from "../../model/text/amounts.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import { isOffered } from "../../protocol/can-continue.ts"
import { newestFirst } from "../../store/log-summary.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"

export interface Meant {
  session: SessionSummary
  /** How many others could have been meant. */
  others: number
}

/** Sessions used this recently may both be the one that the person is looking at. */
const JUST_NOW_MS = 5 * 60 * 1000

/**
 * `ask`: whether a person may be asked; otherwise, as for scripts, two equally likely sessions are refused.
 * Contract: throws `no-session` or `ambiguous`.
 */
export async function sessionMeant(cli: Cli, ask: boolean): Promise<Meant> {
  const groups = foldersHere(cli.cwd, cli.store.foreign.homes.home)
  const found = await sessionsIn(cli, groups.flat())
  for (const folders of groups) {
    const possible = found.filter((session) => isOffered(session) && folders.includes(session.cwd))
    const used = withoutUnused(cli.home, possible)
    const [latest] = used
    if (latest === undefined) continue
    const likely = equallyLikely(used, cli.now())
    const session = likely.length < 2 ? latest : await chosen(cli, likely, ask)
    return { session, others: possible.length - 1 }
  }
  throw await noneHere(
    cli,
    found.filter(({ cwd }) => cwd === cli.cwd),
  )
}

/** The latest one, without a word: for completion. */
export async function latestHere(cli: Cli): Promise<SessionSummary | undefined> {
  const groups = foldersHere(cli.cwd, cli.store.foreign.homes.home)
  const found = withoutUnused(cli.home, (await sessionsIn(cli, groups.flat())).filter(isOffered))
  return groups.map((folders) => found.find(({ cwd }) => folders.includes(cwd))).find((each) => each !== undefined)
}

/** Of any agent, newest first, with the folder's real path. */
async function sessionsIn(cli: Cli, folders: readonly string[]): Promise<SessionSummary[]> {
  const ours: SessionSummary[] = []
  for (const cwd of folders) ours.push(...(await cli.store.list({ cwd })))
  const theirs = await cli.store.foreign.list({ cwd: folders })
  const real = (cwd: string) => (folders.includes(cwd) ? cwd : realpathSync(cwd))
  return [...ours, ...theirs.map((session) => ({ ...session, cwd: real(session.cwd) }))].sort(newestFirst)
}

/**
 * The latest one, and those used as recently as it. Several of retcon's own are used one after the other, from a shell, so the
 * last one is meant, unless turns run in both.
 */
function equallyLikely(possible: readonly SessionSummary[], now: number): SessionSummary[] {
  const recent = possible.filter(({ updated, busy }) => busy || Math.abs(now - Date.parse(updated)) < JUST_NOW_MS)
  const lastOfOurs = recent.find(({ agent }) => agent === undefined)
  return recent.filter((session) => session.agent !== undefined || session.busy || session === lastOfOurs)
}

/** How many are named if none can be chosen. */
const MOST_NAMED = 5

async function chosen(cli: Cli, likely: readonly SessionSummary[], ask: boolean): Promise<SessionSummary> {
  const named = likely.slice(0, MOST_NAMED)
  const unsure = new RetconError({
    code: "ambiguous",
    what: "session",
    name: "",
    matches: named.map(({ id }) => shortId(id)),
    recent: named.map(described),
  })
  if (!ask || !cli.in.isTerminal) throw unsure
  cli.err.write("Several sessions here were used in the last few minutes:\n")
  for (const [i, each] of named.entries()) {
    const when = age(each.updated, cli.now())
    const { id, agent, title } = described(each)
    cli.err.write(`${clip(`  ${i + 1}  ${id}  ${when}  ${agent}: ${title}`, cli.err.width)}\n`)
  }
  const answer = (await cli.in.ask(`Which one? [1-${named.length}] `)).trim()
  const session = /^[1-9]$/.test(answer) ? named[Number(answer) - 1] : undefined
  if (session === undefined) throw unsure
  return session
}

type Named = Pick<SessionSummary, "id" | "agent" | "title">

function described(session: Named): { id: string; agent: string; title: string } {
  const title = sanitiseLine(session.title)
  return { id: shortId(session.id), agent: whose(session), title: title === "" ? "(no title)" : title }
}

function whose(session: Named): string {
  return agentTitle(session.agent ?? "retcon")
}

/** One line that says which one was taken, and in which folder if it is not this one. */
export function meantLine(cli: Cli, session: Named & { cwd: string }): string {
  const { id, agent, title } = described(session)
  const where = session.cwd === cli.cwd ? "" : `, in ${sanitiseLine(session.cwd)}`
  return clip(`Session ${id} of ${agent}${where}: ${title}`, Math.max(40, cli.err.width))
}

async function noneHere(cli: Cli, here: readonly SessionSummary[]): Promise<RetconError> {
  const found = here
    .filter((session) => !isEmpty(session))
    .slice(0, MOST_NAMED)
    .map((session) => ({ ...described(session), agent: passedOver(session), title: sanitiseLine(session.title) }))
  const unopened = unreadable(cli, here, "here")
  if (found.length === 0 && unopened.length > 0) return noneToUse(cli, unopened)
  const moved = here.length === 0 ? await movedFrom(cli) : undefined
  return new RetconError({ code: "no-session", cwd: cli.cwd, found, ...(moved !== undefined && { moved }) })
}

function passedOver(session: SessionSummary): string {
  if (session.agent !== undefined) return agentTitle(session.agent)
  return isTask(session) ? "retcon, a task" : "retcon, archived"
}

/** The folder that may have been moved here. */
async function movedFrom(cli: Cli): Promise<string | undefined> {
  const { findMoved } = await import("../../app/library/find-moved.ts")
  return (await findMoved(cli))[0]?.folder
}
