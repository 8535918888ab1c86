// Applies and reverses hunks that another program tells, if they fit exactly: the same lines, in the same place.
import type { SaidHunk } from "./said-calls.ts"

/** The text after the hunks. Undefined if they do not fit. */
export function appliedHunks(text: string, hunks: readonly SaidHunk[]): string | undefined {
  let moved = 0
  const turned = hunks.map(({ newStart, lines }): SaidHunk => {
    const oldStart = newStart - moved
    moved += lines.filter(isAdded).length - lines.filter(isRemoved).length
    return { newStart: oldStart, lines: lines.map(turnedLine) }
  })
  return reversedHunks(text, turned)
}

/**
 * The text before the hunks. Undefined if they do not fit, or if one changes the last line and `lastEnd` is unknown: then it is
 * not known whether that line ended.
 */
export function reversedHunks(text: string, hunks: readonly SaidHunk[], lastEnd?: "unknown"): string | undefined {
  const lines = linesOf(text)
  const found: string[] = []
  let at = 0
  for (const hunk of hunks) {
    const start = Math.max(0, hunk.newStart - 1)
    if (start < at) return undefined
    found.push(...lines.slice(at, start))
    const before = reversed(lines, start, hunk.lines, lastEnd)
    if (before === undefined) return undefined
    found.push(...before.lines)
    at = before.end
  }
  const whole = [...found, ...lines.slice(at)]
  return whole.slice(0, -1).every((line) => line.endsWith("\n")) ? whole.join("") : undefined
}

function reversed(
  lines: readonly string[],
  start: number,
  hunk: readonly string[],
  lastEnd: "unknown" | undefined,
): { lines: string[]; end: number } | undefined {
  const before: string[] = []
  let at = start
  for (const [i, each] of hunk.entries()) {
    if (each.startsWith("\\")) continue
    const there = lines[at]
    const text = each.slice(1)
    // Each line of the file but its last one ends, which a mark after the line tells, or nothing does.
    const whole = hunk[i + 1]?.startsWith("\\") === true ? text : `${text}\n`
    const fits = there === whole || (lastEnd === "unknown" && there === text && at === lines.length - 1)
    if (!isRemoved(each) && !fits) return undefined
    if (!isAdded(each)) before.push(isRemoved(each) ? whole : (there as string))
    if (!isRemoved(each)) at++
  }
  const last = hunk.findLast((each) => !each.startsWith("\\"))
  if (start > lines.length) return undefined
  if (lastEnd === "unknown" && at === lines.length && last?.startsWith(" ") !== true) return undefined
  return { lines: before, end: at }
}

/** Each with its end. */
function linesOf(text: string): string[] {
  return text === "" ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? [])
}

function isAdded(line: string): boolean {
  return line.startsWith("+")
}

function isRemoved(line: string): boolean {
  return line.startsWith("-")
}

function turnedLine(line: string): string {
  if (isAdded(line)) return `-${line.slice(1)}`
  return isRemoved(line) ? `+${line.slice(1)}` : line
}
