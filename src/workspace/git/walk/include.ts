// The setting that covers some files even though they are ignored.
import { addRules, isIgnored } from "../../../ignore/rules.ts"

export type Includes = {
  /** For a folder: whether anything below it may be included, so that it must be entered. */
  covers(absolute: string, isFolder: boolean): boolean
  /** Whether it is named itself, or is inside what is. */
  names(absolute: string, isFolder: boolean): boolean
}

/**
 * Contract: patterns are as in a .gitignore at the workspace's root. One without a slash matches files in covered
 * folders; one with a slash also enters the ignored folders that its fixed part names.
 */
export function includesFrom(root: string, patterns: string[]): Includes {
  if (patterns.length === 0) return { covers: () => false, names: () => false }
  const rules = addRules(undefined, root, Buffer.from(patterns.join("\n")))
  const fixed = patterns
    .map((pattern) => pattern.replace(/^\//, ""))
    .filter((pattern) => pattern.includes("/"))
    .map((pattern) => pattern.replace(/[*?[\\].*$/s, ""))
  const matches = (absolute: string, isFolder: boolean) => {
    const slash = absolute.lastIndexOf("/")
    return isIgnored(rules, absolute.slice(0, slash), absolute.slice(slash + 1), isFolder)
  }
  const names = (absolute: string, isFolder: boolean) => {
    for (let at = absolute; at.length > root.length; at = at.slice(0, at.lastIndexOf("/"))) {
      if (matches(at, at !== absolute || isFolder)) return true
    }
    return false
  }
  return {
    names,
    covers(absolute, isFolder) {
      if (names(absolute, isFolder)) return true
      const folder = `${absolute.slice(root.length + 1)}/`
      return (
        isFolder && fixed.some((prefix) => prefix.startsWith(folder) || (prefix !== "" && folder.startsWith(prefix)))
      )
    },
  }
}
