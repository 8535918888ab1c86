// All files under a folder that a search may see: what .gitignore leaves out, and .git itself, is not among them.
import type { Dirent } from "node:fs"
import { readdir } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { hasCode, isMissing, isWithin } from "../port/work-root.ts"
import { type IgnoreRules, isIgnored, readIgnore } from "./ignore.ts"

export interface WalkOptions {
  /** Where the rules of .gitignore begin: those of this folder and of all below it count. */
  root: string
  signal: AbortSignal
}

/**
 * Contract: absolute paths of regular files, in an order that depends on their names only. Links are not followed;
 * folders that cannot be read are passed over.
 */
export async function* walk(folder: string, options: WalkOptions): AsyncGenerator<string> {
  const rules = await rulesAbove(folder, options.root)
  yield* walkFolder(folder, rules, options)
}

/** The rules of the folders from the root down to this one, without its own. */
async function rulesAbove(folder: string, root: string): Promise<IgnoreRules | undefined> {
  if (folder === root || !isWithin(root, folder)) return undefined
  const parent = dirname(folder)
  return readIgnore(parent, await rulesAbove(parent, root))
}

async function* walkFolder(
  folder: string,
  above: IgnoreRules | undefined,
  options: WalkOptions,
): AsyncGenerator<string> {
  options.signal.throwIfAborted()
  const rules = await readIgnore(folder, above)
  const entries = (await entriesOf(folder)).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.name === ".git" || isIgnored(rules, path, entry.isDirectory())) continue
    if (entry.isDirectory()) yield* walkFolder(path, rules, options)
    else if (entry.isFile()) yield path
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error) || hasCode(error, "EACCES") || hasCode(error, "EPERM")) return []
    throw error
  }
}

/** Whether `walk(folder)` comes by a file: the same question, for a file that something else has found. */
export function walkTest(folder: string, root: string): (path: string) => Promise<boolean> {
  const seen = new Map<string, Promise<Rules>>()
  const rulesIn = (inner: string): Promise<Rules> => {
    const known = seen.get(inner) ?? rulesOf(inner)
    seen.set(inner, known)
    return known
  }
  const rulesOf = async (inner: string): Promise<Rules> => {
    if (inner === folder) return readIgnore(inner, await rulesAbove(inner, root))
    const above = await rulesIn(dirname(inner))
    if (above === "left out" || basename(inner) === ".git" || isIgnored(above, inner, true)) return "left out"
    return readIgnore(inner, above)
  }
  return async (path) => {
    if (path === folder || !isWithin(folder, path)) return false
    const rules = await rulesIn(dirname(path))
    return rules !== "left out" && !isIgnored(rules, path, false)
  }
}

type Rules = IgnoreRules | undefined | "left out"
