// After a folder has moved: its sessions, and those of the folders in it, belong to where it is now.
import { statSync } from "node:fs"
import { join, relative, sep } from "node:path"
import {
  DIRECTORY_KEY,
  directoryBefore,
  directoryOf,
  SNAPSHOTS_KEY,
  snapshotStoreOf,
} from "../../history/tree/directory.ts"
import type { Advice } from "../../model/failure/failure.ts"
import { errno, RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionId } from "../../model/id.ts"
import type { ConfigRecord } from "../../model/record/record.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { MovedAnswer, MovedRequest } from "../../protocol/library.ts"
import { type LogMove, moveLogs } from "../../store/file/folder/move-logs.ts"
import type { SessionLog } from "../../store/port.ts"
import { copyStore, setRoot, storeOf, storesOf } from "../../workspace/git/project/store-folder.ts"
import type { AppDeps } from "../port/app-deps.ts"

type FolderMove = MovedAnswer["folders"][number]

export async function moved(
  deps: AppDeps,
  { from, to, dryRun = false, force = false, back = false }: MovedRequest,
): Promise<MovedAnswer> {
  checkFolders(back ? { old: to, here: from } : { old: from, here: to }, back || force)
  const folders = await planMoved(deps, from, to, back ? "back" : undefined)
  if (folders.length === 0)
    throw new RetconError({ code: "not-found", what: "session of the folder", name: sanitiseLine(back ? to : from) })
  const untold = dryRun ? [] : await carryOutMoved(deps, folders, !back)
  return { from, to, dryRun, folders, untold }
}

/** A folder that still exists keeps its sessions, unless the person says otherwise. */
function checkFolders({ old, here }: { old: string; here: string }, force: boolean): void {
  const name = sanitiseLine(old)
  if (old === here) throw invalid(`${name} is this folder.`, ["Name its old path: ", { do: "moved", folder: "OLD" }])
  if (!relative(old, here).startsWith(".."))
    throw invalid(`This folder is inside ${name}.`, "Go to that folder's new location and run the command there.")
  if (force || !isFolder(old)) return
  const advice: Advice = ["If they should belong to this folder instead: ", { do: "moved", folder: old }, " --force"]
  throw invalid(`${name} is still there, and its sessions belong to it.`, advice)
}

function invalid(problem: string, advice: Advice): RetconError {
  return new RetconError({ code: "invalid", problem, advice })
}

/** Those of `from`, and of the folders in it. `back`: only those that came from there before. */
async function planMoved(deps: AppDeps, from: string, to: string, only?: "back"): Promise<FolderMove[]> {
  const moves = new Map<string, FolderMove>()
  for (const { id, cwd } of await deps.store.list()) {
    if (cwd !== from && !cwd.startsWith(from + sep)) continue
    const target = join(to, relative(from, cwd))
    if (only === "back" && !(await cameFrom(deps, id, target))) continue
    const move = moves.get(cwd) ?? { from: cwd, to: target, sessions: [] }
    moves.set(cwd, move)
    move.sessions.push(id)
  }
  return [...moves.values()].sort((a, b) => (a.from < b.from ? -1 : 1))
}

async function cameFrom(deps: AppDeps, id: SessionId, folder: string): Promise<boolean> {
  const log = await deps.store.open(id)
  const before = directoryBefore(log)
  await log.close()
  return before === folder
}

/**
 * First the logs, then what they say, then the stores: wherever it is interrupted, the sessions are listed in one of
 * the two folders, and running it again finishes it. Returns the sessions whose logs could not be written.
 */
async function carryOutMoved(deps: AppDeps, moves: readonly FolderMove[], all: boolean): Promise<SessionId[]> {
  const logMoves = moves.map(({ from, to, sessions }): LogMove => ({ from, to, ids: all ? "all" : new Set(sessions) }))
  await moveLogs(deps.home, logMoves, deps.now)
  const untold: SessionId[] = []
  for (const move of moves) {
    const used = new Set<string>()
    for (const id of move.sessions) {
      const log = await deps.store.open(id)
      try {
        const store = snapshotStoreOf(log.history) ?? storeOf(deps.home, move.from)
        if (store !== undefined) used.add(store)
        if (log.access === "full") await tell(deps, log, move.to, store)
        else untold.push(id)
      } finally {
        await log.close()
      }
    }
    const going = storesOf(deps.home, move.from).filter((store) => all || used.has(store))
    if (!all) await keepStores(deps, move.from, new Set(going))
    for (const store of going) setRoot(deps.home, store, move.to)
  }
  return untold
}

/** Those that stay in a folder whose store moves away get their own store, with the same snapshots. */
async function keepStores(deps: AppDeps, folder: string, going: ReadonlySet<string>): Promise<void> {
  const copies = new Map<string, string>()
  for (const { id } of await deps.store.list({ cwd: folder })) {
    const log = await deps.store.open(id)
    const store = snapshotStoreOf(log.history) ?? storeOf(deps.home, folder)
    if (store !== undefined && going.has(store) && log.access === "full") {
      const copy = copies.get(store) ?? copyStore(deps.home, store, folder)
      copies.set(store, copy)
      await log.append([config(deps, SNAPSHOTS_KEY, copy)], { durability: "sync" })
    }
    await log.close()
  }
}

async function tell(deps: AppDeps, log: SessionLog, to: string, store: string | undefined): Promise<void> {
  if (directoryOf(log) === to) return
  const records = [config(deps, DIRECTORY_KEY, to)]
  if (store !== undefined && snapshotStoreOf(log.history) === undefined) {
    records.unshift(config(deps, SNAPSHOTS_KEY, store))
  }
  await log.append(records, { durability: "sync" })
}

function config(deps: AppDeps, key: string, value: string): ConfigRecord {
  return { id: deps.sessionOptions.ids.record(), type: "config", at: deps.sessionOptions.now(), key, value }
}

/** Contract: a folder that we may not examine is assumed to exist. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch (error) {
    const code = errno(error)
    if (code === undefined) throw error
    return code !== "ENOTDIR" && code !== "ENAMETOOLONG"
  }
}
