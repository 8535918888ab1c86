// The rollout files in Codex's folder.
import { lstatSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { AgentHomes } from "../port.ts"
import { filesIn, foldersIn } from "../shared/folder-contents.ts"
import { compressedName } from "./compressed.ts"
import { byBeginning, type RolloutName, rolloutName } from "./rollout-name.ts"

/** Codex's folder. */
export function codexHome({ home, env }: AgentHomes): string {
  return env.CODEX_HOME === undefined || env.CODEX_HOME === "" ? join(home, ".codex") : env.CODEX_HOME
}

const FOLDERS = ["sessions", "archived_sessions"]

function foldersOf(codexHome: string): string[] {
  const [sessions, archived] = FOLDERS.map((name) => join(codexHome, name)) as [string, string]
  const days = numbered(sessions).flatMap(numbered).flatMap(numbered)
  return [...days, archived, sessions]
}

/** All threads in one pass over the folders; and the compressed files of threads that have no others. */
export function threadsIn(codexHome: string): { threads: Map<string, RolloutName[]>; compressed: RolloutName[] } {
  const paths = foldersOf(codexHome).flatMap((folder) => filesIn(folder, ""))
  const threads = byThread(paths.flatMap((path) => rolloutName(path) ?? []))
  const packed = byThread(paths.flatMap((path) => compressedName(path) ?? []))
  return {
    threads,
    compressed: [...packed].flatMap(([thread, files]) => (threads.has(thread) ? [] : files.slice(0, 1))),
  }
}

/** The rollouts that may belong to the same thread as a file or that it may continue, by thread. */
export function rolloutsAround(path: string): ReadonlyMap<string, RolloutName[]> {
  const home = homeOf(path)
  return home === undefined ? byThread(namesIn(dirname(path))) : rolloutsIn(home, dirname(path))
}

/** A reading of all folders, and when each was last changed before that. */
interface TreeRead {
  changed: ReadonlyMap<string, number>
  /** Where Codex would put a new file, or a folder for one. */
  newest: readonly string[]
  threads: ReadonlyMap<string, RolloutName[]>
}

const lastRead = new Map<string, TreeRead>()

/**
 * All of them: by day, and the archived ones. Sessions are opened by the hundred, and the folders are read again only if Codex may
 * have put a file into one since, or someone has into `folder`.
 */
function rolloutsIn(codexHome: string, folder: string): ReadonlyMap<string, RolloutName[]> {
  const known = lastRead.get(codexHome)
  if (known !== undefined && [...known.newest, folder].every((each) => known.changed.get(each) === changedAt(each))) {
    return known.threads
  }
  // When a folder was changed is asked before it is read: whatever is added later changes it again.
  const changed = new Map<string, number>()
  const asked = (each: string) => changed.set(each, changedAt(each)) && each
  const sessions = asked(join(codexHome, "sessions"))
  const year = numbered(sessions).map(asked).at(-1)
  const month = year && numbered(year).map(asked).at(-1)
  const folders = foldersOf(codexHome)
  const threads = byThread(folders.flatMap((each) => namesIn(asked(each))))
  const newest = [...folders.slice(-FOLDERS.length - 1), year, month].filter((each) => each !== undefined)
  lastRead.set(codexHome, { changed, newest, threads })
  return threads
}

function changedAt(folder: string): number {
  return lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Codex's folder, if the file is in its usual place. */
export function homeOf(path: string): string | undefined {
  const folder = dirname(path)
  if (FOLDERS.includes(basename(folder))) return dirname(folder)
  const sessions = dirname(dirname(dirname(folder)))
  return basename(sessions) === "sessions" ? dirname(sessions) : undefined
}

/** The files of each thread, the oldest first. */
export function byThread(rollouts: readonly RolloutName[]): Map<string, RolloutName[]> {
  const threads = new Map<string, RolloutName[]>()
  for (const each of rollouts) {
    const files = threads.get(each.thread)
    if (files === undefined) threads.set(each.thread, [each])
    else files.push(each)
  }
  for (const files of threads.values()) files.sort(byBeginning)
  return threads
}

function namesIn(folder: string): RolloutName[] {
  return filesIn(folder, ".jsonl").flatMap((path) => rolloutName(path) ?? [])
}

/** Years, months and days. */
function numbered(folder: string): string[] {
  return foldersIn(folder).filter((path) => /^\d+$/.test(basename(path)))
}
