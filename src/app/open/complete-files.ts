// Paths of the workspace that match what follows `@`, files and folders: the name matters more than the folders.
import { basename, dirname, relative } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { walk } from "../../agent/files/walk-files.ts"

const MOST_FOUND = 50
/** Milliseconds after which the next completion lists the files again. */
const FRESH = 3_000
/**
 * How many milliseconds a person waits; in a larger folder they see what is known by then, and a note about the rest.
 */
const PATIENCE = 1_500

interface Listed {
  paths: string[]
  /** In lower case, for `rankOf`. */
  lower: string[]
  since: number
  done: boolean
  whole: Promise<void>
}

export interface FoundFiles {
  paths: string[]
  /** How many were examined so far, if not all. */
  looking?: number
}

export interface CompleteOptions {
  now: () => number
  patience?: number
}

/** Contract: examines all files that are not ignored, however many; lists them once for all keys of a word. */
export function completeFiles(
  root: string,
  { now, patience = PATIENCE }: CompleteOptions,
): (prefix: string, signal: AbortSignal) => Promise<FoundFiles> {
  let listed: Listed | undefined
  return async (prefix, signal) => {
    if (listed === undefined || (listed.done && now() - listed.since > FRESH)) listed = list(root, now())
    const own = listed
    await Promise.race([own.whole, pause(patience, undefined, { signal, ref: false }).catch(() => undefined)])
    const paths = best(own, prefix.toLowerCase())
    return own.done ? { paths } : { paths, looking: own.paths.length }
  }
}

function list(root: string, since: number): Listed {
  const own: Listed = { paths: [], lower: [], since, done: false, whole: Promise.resolve() }
  const add = (path: string) => {
    own.paths.push(path)
    own.lower.push(path.toLowerCase())
  }
  const read = async () => {
    const folders = new Set<string>()
    const addFolders = (folder: string): void => {
      if (folder === "." || folders.has(folder)) return
      folders.add(folder)
      addFolders(dirname(folder))
      add(`${folder}/`)
    }
    for await (const file of walk(root, { root, signal: new AbortController().signal })) {
      const path = relative(root, file)
      addFolders(dirname(path))
      add(path)
    }
  }
  own.whole = read()
    .catch(() => undefined)
    .then(() => {
      own.done = true
    })
  return own
}

function best({ paths, lower }: Listed, wanted: string): string[] {
  const found: { path: string; rank: number }[] = []
  for (const [at, path] of paths.entries()) {
    const rank = rankOf(lower[at] ?? "", wanted)
    if (rank !== undefined) found.push({ path, rank })
  }
  return found
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length)
    .slice(0, MOST_FOUND)
    .map(({ path }) => path)
}

/** Lower is better: path starts with it, name starts with it, name has it, path has it, its letters occur in order. */
function rankOf(path: string, wanted: string): number | undefined {
  if (path.startsWith(wanted)) return 0
  const name = basename(path)
  if (name.startsWith(wanted)) return 1
  if (name.includes(wanted)) return 2
  if (path.includes(wanted)) return 3
  let at = 0
  for (const letter of wanted) {
    at = path.indexOf(letter, at) + 1
    if (at === 0) return undefined
  }
  return 4
}
