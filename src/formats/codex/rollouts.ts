// The rollout files in Codex's folder.
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

/** All of them: by day, and the archived ones. */
export function rolloutsIn(codexHome: string): RolloutName[] {
  return foldersOf(codexHome).flatMap(namesIn)
}

function foldersOf(codexHome: string): string[] {
  const [sessions, archived] = FOLDERS.map((name) => join(codexHome, name)) as [string, string]
  const days = numbered(sessions).flatMap(numbered).flatMap(numbered)
  return [...days, archived, sessions]
}

/** The same by one look at the folders; and the compressed ones of threads of which nothing else is there. */
export function threadsIn(codexHome: string): { threads: Map<string, RolloutName[]>; compressed: RolloutName[] } {
  const paths = foldersOf(codexHome).flatMap((folder) => filesIn(folder, ""))
  const threads = byThread(paths.flatMap((path) => rolloutName(path) ?? []))
  const packed = byThread(paths.flatMap((path) => compressedName(path) ?? []))
  return {
    threads,
    compressed: [...packed].flatMap(([thread, files]) => (threads.has(thread) ? [] : files.slice(0, 1))),
  }
}

/** Those that may belong to the same thread as a file, or that it continues. */
export function rolloutsAround(path: string): RolloutName[] {
  const home = homeOf(path)
  return home === undefined ? namesIn(dirname(path)) : rolloutsIn(home)
}

/** Codex's folder, when the file is where Codex keeps them. */
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
