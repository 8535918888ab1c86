// The requests of every session of every agent, remembered by session as long as its file stays the same.

import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import type { ListedSession } from "../../foreign/list/list-agent.ts"
import { sessionIdOf } from "../../formats/ids.ts"
import { parseLine } from "../../formats/shared/json-line.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionId } from "../../model/id.ts"
import { worksForAnother } from "../../model/record/record.ts"
import type { Job } from "../../protocol/library.ts"
import { linesWith } from "../../store/file/folder/line-chunks.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { foreignRequests, loggedRequests } from "./logged-requests.ts"
import { keyOf, type OnDisk, openOnDisk, sessionsOnDisk, stateOf } from "./on-disk.ts"
import { DigestPack } from "./pack.ts"
import { type RequestRows, RequestTable } from "./request-rows.ts"

/** Increment it when a reader finds different requests in the same bytes. */
const VERSION = 1

export interface SessionRequests extends RequestRows {
  session: SessionSummary
  /** In milliseconds. */
  mtime: number
  /** Why its requests are not here, if so. */
  problem?: string
}

type Deps = Pick<AppDeps, "home" | "store">

/** Of all sessions, or of those wanted. */
export async function allRequests(
  deps: Deps,
  job: Job = {},
  wanted: (session: SessionSummary) => boolean = () => true,
): Promise<SessionRequests[]> {
  const all = await sessionsOnDisk(deps)
  const sessions = all.filter(({ session }) => wanted(session))
  const pack = new DigestPack(join(deps.home, "cache", "requests.pack"), VERSION)
  const roots = rootsOf(all)
  const theirs = new Set(all.flatMap(({ session, listed }) => (listed === undefined ? [] : [session.id])))
  const found: SessionRequests[] = []
  const fresh: OnDisk[] = []
  for (const known of sessions) {
    const { head, rows } = pack.get(keyOf(known), stateOf(known)) ?? {}
    if (rows === undefined || !Array.isArray(head?.models)) fresh.push(known)
    else found.push({ ...known, models: head.models as string[], rows })
  }
  const bytes = fresh.reduce((sum, { session }) => sum + session.bytes, 1)
  let done = 0
  try {
    for (const known of fresh) {
      job.signal?.throwIfAborted()
      const tick = (read: number) => told(job, (done + Math.min(read, known.session.bytes)) / bytes)
      await tick(0)
      const result = await requestsIn(deps, known, { roots, theirs }, tick)
      if (result.problem === undefined)
        pack.set(keyOf(known), { state: stateOf(known), head: { models: [...result.models] }, rows: result.rows })
      found.push({ ...known, ...result })
      done += known.session.bytes
    }
  } finally {
    // What has been read need not be read again, also if somebody lost patience.
    pack.save(sessions.length === all.length && found.length === sessions.length)
  }
  return found
}

async function told({ tick, signal }: Job, share: number): Promise<void> {
  if (tick !== undefined) await tick(share)
  else await setImmediate()
  signal?.throwIfAborted()
}

/** For each session that was split off from others, the oldest of those that are here. */
function rootsOf(all: readonly OnDisk[]): (id: SessionId) => SessionId {
  const from = new Map(all.map(({ session: { id, from } }) => [id, from?.as === "split" ? from.session : undefined]))
  return (id) => {
    const passed = new Set<SessionId>()
    let root = id
    for (let at: SessionId | undefined = id; at !== undefined && !passed.has(at); at = from.get(at)) {
      passed.add(at)
      root = at
    }
    return root
  }
}

type Tick = (bytes: number) => Promise<void>

async function requestsIn(
  deps: Deps,
  { session, mtime, listed }: OnDisk,
  { roots, theirs }: { roots: (id: SessionId) => SessionId; theirs: ReadonlySet<SessionId> },
  tick: Tick,
): Promise<RequestRows & { problem?: string }> {
  const table = new RequestTable(mtime)
  try {
    if (listed === undefined) {
      const since = copiedUntil(session, theirs)
      for (const request of await loggedRequests(session.file ?? "", tick)) if (request.at >= since) table.add(request)
    } else if (listed.format.requests === undefined) {
      const log = await openOnDisk(deps, session)
      try {
        for (const request of foreignRequests(log)) table.add(request)
      } finally {
        await log.close()
      }
    } else await readLines(listed, table, roots, tick)
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    return { ...table.result(), problem: error.message }
  }
  return table.result()
}

/** What one of ours has from another agent's session that is still here counts there. Milliseconds. */
function copiedUntil({ id, from }: SessionSummary, theirs: ReadonlySet<SessionId>): number {
  if (from === undefined || worksForAnother(from) || !theirs.has(from.session)) return 0
  // An id begins with the time when it was made.
  return Number.parseInt(id.replace("-", "").slice(0, 12), 16)
}

async function readLines(
  { format, place }: ListedSession,
  table: RequestTable,
  roots: (id: SessionId) => SessionId,
  tick: Tick,
): Promise<void> {
  const reader = format.requests?.(place, (name) => roots(sessionIdOf(format.agent, name)))
  const marks = new RegExp((format.requestMarks ?? []).join("|"), "g")
  let read = 0
  for (const file of reader?.files ?? []) {
    for (const { read: bytes, lines } of linesWith(file, marks)) {
      for (const found of lines) {
        const json = parseLine(found)
        const request = json && reader?.line(json)
        if (request !== undefined) table.add(request)
      }
      await tick(read + bytes)
    }
    read += 1
  }
}
