// The last check before the terminal: a line may contain styles and nothing else, and is never wider than the screen.
import { graphemesOf } from "../../model/text/sanitise.ts"
import { STYLE, styledWidth } from "./styled-width.ts"

const SEQUENCE = new RegExp(`(${STYLE})|\u001b[^\u001b]?|[\\u0000-\\u001f\\u007f-\\u009f]`, "g")
const TOKENS = new RegExp(`${STYLE}|[^\u001b]+`, "g")
const RESET = "\u001b[0m"

/** Contract: the result moves no cursor, rings no bell, sets no title, and takes at most `width` columns. */
export function guard(line: string, width: number): string {
  const safe = isPlain(line) ? line : line.replace(SEQUENCE, "$1")
  return styledWidth(safe) <= width ? safe : cut(safe, width)
}

function isPlain(line: string): boolean {
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return false
  }
  return true
}

function cut(line: string, width: number): string {
  let used = 0
  let kept = ""
  for (const [token] of line.matchAll(TOKENS)) {
    if (token.startsWith("\u001b")) {
      kept += token
      continue
    }
    for (const { segment } of graphemesOf(token)) {
      const next = styledWidth(segment)
      if (used + next > width - 1) return `${kept}…${RESET}`
      kept += segment
      used += next
    }
  }
  return kept
}
