// Which files a repository ignores. A chain of .gitignore files, from a file's own folder up to the repository's top;
// the nearest one with a match decides, by its last matching line.
import { byteOrderKey } from "../model/text/path-bytes.ts"

/** The patterns of one file. `base` is its folder, absolute, as a byte-order key ending in "/". */
export type Rules = { base: string; text: Buffer; patterns: Pattern[]; above: Rules | undefined }

/** Contract: returns `above` itself if the text has no pattern, so that chains stay short. */
export function addRules(above: Rules | undefined, folder: string, text: Buffer): Rules | undefined {
  const start = text.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0
  const patterns: Pattern[] = []
  for (const line of text.toString("latin1", start).split("\n")) {
    const pattern = parsePattern(line.endsWith("\r") ? line.slice(0, -1) : line)
    if (pattern !== undefined) patterns.push(pattern)
  }
  return patterns.length === 0 ? above : { base: folderKey(folder), text, patterns, above }
}

/** Whether the rules match this file or folder itself; the caller must skip what is below an ignored folder. */
export function isIgnored(rules: Rules | undefined, folder: string, name: string, isFolder: boolean): boolean {
  if (rules === undefined) return false
  const key = byteOrderKey(name)
  const full = folderKey(folder) + key
  for (let level: Rules | undefined = rules; level !== undefined; level = level.above) {
    for (let i = level.patterns.length - 1; i >= 0; i--) {
      const pattern = level.patterns[i] as Pattern
      if (pattern.folderOnly && !isFolder) continue
      if (pattern.matches(pattern.anchored ? full.slice(level.base.length) : key)) return !pattern.negated
    }
  }
  return false
}

function folderKey(folder: string): string {
  const key = byteOrderKey(folder)
  return key.endsWith("/") ? key : `${key}/`
}

type Pattern = { negated: boolean; folderOnly: boolean; anchored: boolean; matches: (name: string) => boolean }

/**
 * One line of a .gitignore, as git reads it. Names are compared as bytes (text in latin1), so `?` is one byte.
 * Contract: undefined for blank lines, comments and patterns that can never match. `line` is in latin1.
 */
function parsePattern(line: string): Pattern | undefined {
  let text = trimEnd(line)
  if (text === "" || text.startsWith("#")) return undefined
  const negated = text.startsWith("!")
  if (negated) text = text.slice(1)
  const folderOnly = text.endsWith("/")
  if (folderOnly) text = text.slice(0, -1)
  const anchored = text.includes("/")
  if (text.startsWith("/")) text = text.slice(1)
  const matches = matcher(text, anchored)
  return matches && { negated, folderOnly, anchored, matches }
}

function matcher(glob: string, anchored: boolean): ((name: string) => boolean) | undefined {
  if (glob === "") return undefined
  if (!/[*?[\\]/.test(glob)) return (name) => name === glob
  const suffix = /^\*([^*?[\\/]+)$/.exec(glob)?.[1]
  if (suffix !== undefined && !anchored) return (name) => name.endsWith(suffix)
  const source = globSource(glob, anchored)
  if (source === undefined) return undefined
  const expression = new RegExp(`^(?:${source})$`, "s")
  return (name) => expression.test(name)
}

/** Removes trailing spaces, except one after a backslash. */
function trimEnd(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === " ") {
    let slashes = 0
    while (line[end - 2 - slashes] === "\\") slashes++
    if (slashes % 2 === 1) break
    end--
  }
  return line.slice(0, end)
}

function globSource(glob: string, anchored: boolean): string | undefined {
  const notSlash = anchored ? "[^/]" : "."
  // Git compares what precedes the first wildcard literally, so the glob begins there.
  const begin = glob.search(/[*?[\\]/)
  let source = ""
  for (let at = 0; at < glob.length; ) {
    const character = glob[at] as string
    if (character === "*") {
      let end = at
      while (glob[end] === "*") end++
      const alone = (at === begin || glob[at - 1] === "/") && (end === glob.length || glob[end] === "/")
      if (anchored && end - at >= 2 && alone) {
        if (end === glob.length) source += ".*"
        else {
          source += "(?:.*/)?"
          end++
        }
      } else source += `${notSlash}*`
      at = end
    } else if (character === "?") {
      source += notSlash
      at++
    } else if (character === "[") {
      const set = parseSet(glob, at, anchored)
      if (set === undefined) return undefined
      source += set.source
      at = set.end
    } else {
      if (character === "\\") at++
      if (at >= glob.length) return undefined
      source += escaped(glob[at] as string)
      at++
    }
  }
  return source
}

function escaped(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`
}

const CLASSES: Record<string, string> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "\\x21-\\x7e",
  lower: "a-z",
  print: "\\x20-\\x7e",
  punct: "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
  space: "\\t-\\r ",
  upper: "A-Z",
  xdigit: "0-9A-Fa-f",
}

function parseSet(glob: string, start: number, anchored: boolean): { source: string; end: number } | undefined {
  let at = start + 1
  const negated = glob[at] === "!" || glob[at] === "^"
  if (negated) at++
  let members = ""
  for (let first = true; first || glob[at] !== "]"; first = false) {
    if (at >= glob.length) return undefined
    if (glob.startsWith("[:", at)) {
      const close = glob.indexOf("]", at + 2)
      if (close < 0) return undefined
      if (glob[close - 1] === ":" && close - 1 >= at + 2) {
        const members_ = CLASSES[glob.slice(at + 2, close - 1)]
        if (members_ === undefined) return undefined
        members += members_
        at = close + 1
        continue
      }
    }
    if (glob[at] === "\\") at++
    const low = glob[at]
    if (low === undefined) return undefined
    at++
    if (glob[at] === "-" && glob[at + 1] !== undefined && glob[at + 1] !== "]") {
      at++
      if (glob[at] === "\\") at++
      const high = glob[at]
      if (high === undefined) return undefined
      at++
      members += low <= high ? `${escaped(low)}-${escaped(high)}` : escaped(low)
    } else members += escaped(low)
  }
  const slash = anchored ? "(?!/)" : ""
  if (members === "") return { source: negated ? `${slash}[^]` : "(?!)", end: at + 1 }
  return { source: `${slash}[${negated ? "^" : ""}${members}]`, end: at + 1 }
}
