// In a folder without sessions: finds folders that are gone, have sessions, and look like this one.
import { join } from "node:path"
import { snapshotStoreOf } from "../../history/tree/directory.ts"
import { chain, type History } from "../../history/tree/tree.ts"
import { KIND, type SnapshotRecord } from "../../model/record/record.ts"
import { directorySlug, sessionsFolder } from "../../store/file/disk/layout.ts"
import { sessionFilesIn } from "../../store/file/folder/names.ts"
import type { SessionSummary } from "../../store/port.ts"
import { storeOf } from "../../workspace/git/project/store-folder.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { isFolder } from "./moved-folder.ts"
import { isEmpty } from "./session-kinds.ts"

/** A folder that is gone and whose sessions would fit here. */
export interface MovedFrom {
  folder: string
  sessions: number
  because: "repository" | "files"
}

/** How many folders to examine, most recently used first. */
const MOST_FOLDERS = 30
/** How many sessions of a folder to open to find a snapshot. */
const MOST_SESSIONS = 3

/** The share of the last snapshot's files that must be here. */
const ENOUGH = 0.8
/** In the same repository another branch may be checked out; but another folder in it is not the one that moved. */
const ENOUGH_IN_REPOSITORY = 0.3

/** Contract: opens logs by their index and reads one record of each; writes nothing. The best fit comes first. */
export async function findMoved(deps: AppDeps): Promise<MovedFrom[]> {
  const found: MovedFrom[] = []
  for (const [folder, sessions] of await goneFolders(deps)) {
    const because = await whyItFits(deps, folder, sessions)
    if (because !== undefined) found.push({ folder, sessions: sessions.length, because })
  }
  return found.sort((a, b) => Number(b.because === "repository") - Number(a.because === "repository"))
}

/** For a start in this folder. Contract: if it has a session, this costs one look at a folder. */
export async function findMovedHere(deps: AppDeps): Promise<MovedFrom[]> {
  const here = sessionFilesIn(join(sessionsFolder(deps.home), directorySlug(deps.cwd)))
  return here.length > 0 ? [] : findMoved(deps)
}

/** Folders that no longer exist, with their sessions; most recently used first. */
export async function goneFolders(deps: AppDeps): Promise<[string, SessionSummary[]][]> {
  const folders = new Map<string, SessionSummary[]>()
  for (const session of await deps.store.list()) {
    if (session.cwd === "" || session.cwd === deps.cwd || isEmpty(session)) continue
    const sessions = folders.get(session.cwd)
    if (sessions === undefined) folders.set(session.cwd, [session])
    else sessions.push(session)
  }
  const gone: [string, SessionSummary[]][] = []
  for (const each of folders) {
    if (gone.length < MOST_FOLDERS && !isFolder(each[0])) gone.push(each)
  }
  return gone
}

async function whyItFits(
  deps: AppDeps,
  folder: string,
  sessions: readonly SessionSummary[],
): Promise<MovedFrom["because"] | undefined> {
  for (const { id } of sessions.slice(0, MOST_SESSIONS)) {
    const log = await deps.store.open(id)
    const last = lastSnapshot(log.history)
    const named = last && snapshotStoreOf(log.history)
    await log.close()
    if (last === undefined) continue
    const { knowsCommit, likeness } = await import("../../workspace/git/doctor/folder-likeness.ts")
    const store = named ?? storeOf(deps.home, folder)
    const files = store && likeness({ home: deps.home, store, snapshot: last.snapshot, root: deps.cwd })
    if (!files) return undefined
    const commit = last.repositories?.find(({ path }) => path === "")?.commit
    if (files.share >= ENOUGH_IN_REPOSITORY && commit !== undefined && knowsCommit(deps.cwd, commit))
      return "repository"
    return files.share >= ENOUGH && files.same ? "files" : undefined
  }
  return undefined
}

function lastSnapshot(history: History): SnapshotRecord | undefined {
  for (const row of chain(history, KIND.snapshot)) {
    const record = history.record(row)
    if (record?.type === "snapshot" && record.paths === undefined) return record
  }
  return undefined
}
