// Which files a repository ignores. A chain of .gitignore files, from a file's own folder up to the repository's top;
// the nearest one with a match decides, by its last matching line.
import { byteOrderKey } from "../model/text/path-bytes.ts"
import { type Pattern, parsePattern } from "./pattern.ts"

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
