// Which of the files that changed while a command ran someone else may have changed: by when they changed, and by what the
// command names. docs/decisions/0030-who-changed-it.md has what this is right about, and how often.
import { lstatSync } from "node:fs"
import { diskPath } from "../../../workspace/port.ts"

/** When a command ran, in milliseconds, and its text if it is known. */
export interface CommandRun {
  from: number
  until: number
  command: string | undefined
}

/** A file that changed, and when it last did; undefined: it is gone. */
export interface ChangedAt {
  path: string
  at: number | undefined
}

/** Clocks and the times of files differ by as much. */
export const SLACK_MS = 200
/** Nobody turns to an editor and saves in less. */
const SHORT_MS = 1500
/** What a command writes, it mostly writes with other files, each so soon after the last, or when it begins or ends. */
const NEAR_MS = 100
/** A person saves fewer files at once. */
const MANY = 5
/** How long after a command began, or before its end was noticed, it may have written what it writes then. */
const END_MS = 250

/** Contract: pure. */
export function perhapsPersons(changed: readonly ChangedAt[], run: CommandRun): Set<string> {
  const outside = ({ at }: ChangedAt) => at !== undefined && (at < run.from - SLACK_MS || at > run.until + SLACK_MS)
  const found = new Set(changed.filter(outside).map(({ path }) => path))
  if (run.until - run.from <= SHORT_MS) return found
  const inside = changed.filter(({ path }) => !found.has(path))
  const isNamed = namesIn(run.command ?? "")
  const isAtEnd = ({ at }: ChangedAt) => at !== undefined && (at - run.from <= END_MS || run.until - at <= END_MS)
  for (const group of atOnce(inside)) {
    if (group.length >= MANY || group.some((each) => isAtEnd(each) || isNamed(each.path))) continue
    for (const { path } of group) found.add(path)
  }
  return found
}

/** When a file was deleted is not known. */
const GONE = Number.MAX_VALUE

/** Files that changed one soon after the other; those that are gone are together. */
function atOnce(changed: readonly ChangedAt[]): ChangedAt[][] {
  const groups: ChangedAt[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const each of [...changed].sort((a, b) => (a.at ?? GONE) - (b.at ?? GONE))) {
    const at = each.at ?? GONE
    if (at - last <= NEAR_MS) groups.at(-1)?.push(each)
    else groups.push([each])
    last = at
  }
  return groups
}

/** Whether a command's text names a path: itself, its name, a folder above it, or a pattern. */
function namesIn(command: string): (path: string) => boolean {
  const words = command
    .split(/[\s"'`;|&<>()=:,]+/)
    .map((word) => word.replace(/^(?:\.\/)+/, "").replace(/\/+$/, ""))
    .filter((word) => word !== "" && word !== "." && !word.startsWith("-"))
  const patterns = words.filter((word) => /[*?]/.test(word) && word !== "*").map(patternOf)
  const named = new Set(words)
  return (path) => {
    const steps = path.split("/")
    const name = steps.at(-1) ?? path
    if (named.has(name) || patterns.some((pattern) => pattern.test(path) || pattern.test(name))) return true
    return steps.some((_, i) => isIn(words, steps.slice(0, i + 1).join("/")))
  }
}

function isIn(words: readonly string[], path: string): boolean {
  return words.some((word) => word === path || (word.startsWith("/") && word.endsWith(`/${path}`)))
}

function patternOf(word: string): RegExp {
  const parts = word.split(/(\*+|\?)/).map((part) => {
    if (part === "?") return "[^/]"
    return part.startsWith("*") ? (part.length > 1 ? ".*" : "[^/]*") : part.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
  })
  return new RegExp(`^${parts.join("")}$`)
}

/** By the time of the inode, which no program sets. */
export function changedAt(root: string, path: string): ChangedAt {
  try {
    return { path, at: lstatSync(diskPath(root, path)).ctimeMs }
  } catch {
    return { path, at: undefined }
  }
}
