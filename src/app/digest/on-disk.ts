// Every session on this machine with the state of its file, for what is remembered about each.
import { statSync } from "node:fs"
import type { ListedSession } from "../../foreign/list/list-agent.ts"
import { orNothing } from "../../store/file/disk/problems.ts"
import type { SessionLog, SessionSummary } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"

export interface OnDisk {
  session: SessionSummary
  /** In milliseconds. */
  mtime: number
  /** Of another agent. */
  listed?: ListedSession
}

type Deps = Pick<AppDeps, "store">

export async function sessionsOnDisk({ store }: Deps): Promise<OnDisk[]> {
  const ours = (await store.list()).flatMap((session): OnDisk[] => {
    const mtime = orNothing(() => statSync(session.file ?? "").mtimeMs)
    return mtime === undefined ? [] : [{ session, mtime }]
  })
  const theirs = (await store.foreign.places()).map((listed): OnDisk => {
    return { session: listed.summary, mtime: listed.mtime, listed }
  })
  return [...ours, ...theirs]
}

export function keyOf({ session, listed }: OnDisk): string {
  if (listed === undefined) return `retcon ${session.file}`
  const { place, format } = listed
  return `${format.agent} ${place.main} ${place.within ?? ""}`
}

/** A database changes with every session in it. */
export function stateOf({ session, mtime, listed }: OnDisk): string {
  return listed?.place.within === undefined ? `${session.bytes} ${mtime}` : session.updated
}

/** Contract: the caller closes it. */
export async function openOnDisk({ store }: Deps, session: SessionSummary): Promise<SessionLog> {
  if (session.agent !== undefined) return (await store.foreign.unread(session)).log()
  return session.file === undefined ? store.open(session.id) : store.openFile(session.file)
}
