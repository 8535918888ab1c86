// All files under a folder that a search may see: without .git, and without what .gitignore excludes.
import type { Dirent } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { addRules, isIgnored, type Rules } from "../../ignore/rules.ts"
import { errno } from "../../model/failure/retcon-error.ts"
import { isWithin } from "../../model/within.ts"
import { isMissing } from "../port/tool.ts"

export interface WalkOptions {
  /** Where .gitignore rules begin: those of this folder and of all below it count. */
  root: string
  signal: AbortSignal
}

/**
 * Contract: absolute paths of regular files, in an order that depends only on their names. Does not follow links; skips
 * folders that cannot be read.
 */
export async function* walk(folder: string, options: WalkOptions): AsyncGenerator<string> {
  const rules = await rulesAbove(folder, options.root)
  yield* walkFolder(folder, rules, options)
}

/** The rules of the folders from the root down to this one, excluding its own. */
async function rulesAbove(folder: string, root: string): Promise<Rules | undefined> {
  if (folder === root || !isWithin(root, folder)) return undefined
  const parent = dirname(folder)
  return readRules(parent, await rulesAbove(parent, root))
}

async function readRules(folder: string, above: Rules | undefined): Promise<Rules | undefined> {
  try {
    return addRules(above, folder, await readFile(join(folder, ".gitignore")))
  } catch (error) {
    if (isMissing(error) || errno(error) === "EISDIR" || errno(error) === "EACCES") return above
    throw error
  }
}

async function* walkFolder(folder: string, above: Rules | undefined, options: WalkOptions): AsyncGenerator<string> {
  options.signal.throwIfAborted()
  const rules = await readRules(folder, above)
  const entries = (await entriesOf(folder)).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name === ".git" || isIgnored(rules, folder, entry.name, entry.isDirectory())) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walkFolder(path, rules, options)
    else if (entry.isFile()) yield path
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error) || errno(error) === "EACCES" || errno(error) === "EPERM") return []
    throw error
  }
}

/** Whether `walk(folder)` would find a file: the same rules, for a file that was found in another way. */
export function walkTest(folder: string, root: string): (path: string) => Promise<boolean> {
  const seen = new Map<string, Promise<RulesIn>>()
  const rulesIn = (inner: string): Promise<RulesIn> => {
    const known = seen.get(inner) ?? rulesOf(inner)
    seen.set(inner, known)
    return known
  }
  const rulesOf = async (inner: string): Promise<RulesIn> => {
    if (inner === folder) return readRules(inner, await rulesAbove(inner, root))
    const above = await rulesIn(dirname(inner))
    if (above === "left out" || basename(inner) === ".git" || isIgnored(above, dirname(inner), basename(inner), true))
      return "left out"
    return readRules(inner, above)
  }
  return async (path) => {
    if (path === folder || !isWithin(folder, path)) return false
    const rules = await rulesIn(dirname(path))
    return rules !== "left out" && !isIgnored(rules, dirname(path), basename(path), false)
  }
}

type RulesIn = Rules | undefined | "left out"
