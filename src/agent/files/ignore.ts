// .gitignore: the rules of git for which files a search leaves out. Pure, but for reading the files themselves.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { hasCode, isMissing } from "../port/work-root.ts"
import { globSource } from "./glob.ts"

interface IgnoreRule {
  /** Matches a path relative to the folder of the .gitignore. */
  match: RegExp
  negated: boolean
  foldersOnly: boolean
}

/** The rules in force in a folder, nearest first. */
export interface IgnoreRules {
  readonly folder: string
  readonly rules: readonly IgnoreRule[]
  readonly outer: IgnoreRules | undefined
}

export function parseIgnore(text: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => parseLine(line) ?? [])
}

function parseLine(line: string): IgnoreRule | undefined {
  let pattern = line.replace(/(?<!\\) +$/, "")
  if (pattern === "" || pattern.startsWith("#")) return undefined
  const negated = pattern.startsWith("!")
  if (negated) pattern = pattern.slice(1)
  const foldersOnly = pattern.endsWith("/")
  if (foldersOnly) pattern = pattern.replace(/\/+$/, "")
  if (pattern === "") return undefined
  const anchored = pattern.includes("/")
  // git has no {a,b}: braces are themselves.
  const source = globSource(pattern.replace(/^\//, "").replace(/[{}]/g, "\\$&"))
  return { match: new RegExp(`^${anchored ? "" : "(?:.*/)?"}${source}$`, "s"), negated, foldersOnly }
}

export async function readIgnore(folder: string, outer: IgnoreRules | undefined): Promise<IgnoreRules | undefined> {
  try {
    const rules = parseIgnore(await readFile(join(folder, ".gitignore"), "utf8"))
    return rules.length === 0 ? outer : { folder, rules, outer }
  } catch (error) {
    if (isMissing(error) || hasCode(error, "EISDIR") || hasCode(error, "EACCES")) return outer
    throw error
  }
}

/** The last rule that matches decides; the nearest file first. */
export function isIgnored(rules: IgnoreRules | undefined, path: string, isFolder: boolean): boolean {
  for (let each = rules; each !== undefined; each = each.outer) {
    const inside = path.slice(each.folder.length + 1)
    const found = each.rules.findLast((rule) => (isFolder || !rule.foldersOnly) && rule.match.test(inside))
    if (found !== undefined) return !found.negated
  }
  return false
}
