// Which files make up a Codex session. A revert starts a new file of the same thread, which names where the history before it
// ends; a fork starts a file of a new thread in the same way. Nothing is copied.
import { realpathSync, statSync } from "node:fs"
import { basename } from "node:path"
import { orNothing } from "../../model/failure/retcon-error.ts"
import type { Source } from "../port.ts"
import { readHead } from "../shared/read-head.ts"
import { type CodexHeader, type HistoryBase, headerInPart, readHeader } from "./header.ts"
import type { RolloutName } from "./rollout-name.ts"
import { rolloutsAround } from "./rollouts.ts"

/** A file of a session, and its first line. */
export interface LineageFile {
  path: string
  rollout: string
  header: CodexHeader
  /** For another thread's file: only what comes before this offset belongs to the session. */
  upTo: number | undefined
}

const MOST_FILES = 250

/** Enough for what comes before the instructions. */
const HEADER_START = 4096

/** The files of sub-agents that worked for a thread, or for one another, changed after a time in milliseconds. */
export function taskFiles(path: string, thread: string, since: number): Pick<LineageFile, "path" | "upTo">[] {
  const changed = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const recent = [...rolloutsAround(path).values()].flat().filter((each) => changed(each.path) >= since)
  const workers = new Set([thread])
  // Whoever starts a sub-agent has an older file than it.
  return recent
    .sort((one, other) => (basename(one.path) < basename(other.path) ? -1 : 1))
    .flatMap((each) => {
      const header = headerInPart(readHead(each.path, HEADER_START))
      if (header?.parent === undefined || !workers.has(header.parent.toLowerCase())) return []
      workers.add(header.thread)
      return [{ path: each.path, upTo: undefined }]
    })
}

/** Oldest first. Undefined if the file is not a rollout. */
export function lineageOf(named: string): LineageFile[] | undefined {
  const header = readHeader(named)
  if (header === undefined) return undefined
  const path = orNothing(() => realpathSync(named)) ?? named
  const around = rolloutsAround(path)
  const own = ownFiles(path, header, around)
  const before = filesBefore(own[0] as LineageFile, around)
  return [...before, ...own].slice(-MOST_FILES)
}

/** All files of the thread, in full: what a revert left behind is a branch. */
function ownFiles(path: string, header: CodexHeader, around: ReadonlyMap<string, RolloutName[]>): LineageFile[] {
  const own: LineageFile[] = []
  for (const name of around.get(header.thread) ?? []) {
    const found = name.path === path ? header : readHeader(name.path)
    if (found?.thread !== header.thread) continue
    own.push({ path: name.path, rollout: name.rollout, header: found, upTo: undefined })
  }
  if (own.some((file) => file.path === path)) return own
  // A copy that someone renamed.
  return [{ path, rollout: header.thread, header, upTo: undefined }]
}

/** The files of other threads that a fork continues, each up to where the next one begins. */
function filesBefore(first: LineageFile, around: ReadonlyMap<string, RolloutName[]>): LineageFile[] {
  const files: LineageFile[] = []
  if (first.header.base === undefined) return files
  const byRollout = new Map([...around.values()].flat().map((name) => [name.rollout, name.path]))
  const seen = new Set([first.rollout])
  for (
    let base: HistoryBase | undefined = first.header.base;
    base !== undefined && !seen.has(base.rollout) && files.length < MOST_FILES;
  ) {
    seen.add(base.rollout)
    const path = byRollout.get(base.rollout)
    const header = path === undefined ? undefined : readHeader(path)
    if (path === undefined || header === undefined) break
    files.unshift({ path, rollout: base.rollout, header, upTo: base.endOffset })
    base = header.base
  }
  return files
}

/** The lineage of one session, determined again once its last file has stopped growing. */
export class Lineage {
  readonly #path: string
  #files: LineageFile[]
  #size: number

  constructor(path: string, files: LineageFile[]) {
    this.#path = path
    this.#files = files
    this.#size = -1
  }

  get files(): readonly LineageFile[] {
    return this.#files
  }

  /** A thread that is still growing was not reverted, so no folders need to be listed while following it. */
  sources(): Source[] {
    const size = sizeOf(this.#files.at(-1)?.path)
    if (size === this.#size) this.#files = lineageOf(this.#path) ?? this.#files
    this.#size = sizeOf(this.#files.at(-1)?.path)
    return this.#files.map(({ path, upTo }, number) => ({
      number,
      file: path,
      how: "grows" as const,
      ...(upTo !== undefined && { upTo }),
    }))
  }
}

function sizeOf(path: string | undefined): number {
  return path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
}
