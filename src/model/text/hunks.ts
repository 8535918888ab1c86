// The difference between two lists of lines as a unified diff, with three lines around each change.
import { diffLines, type Hunk } from "./diff-lines.ts"

const CONTEXT = 3

/** Lines include their newlines, so a missing last newline is a difference. Empty if nothing differs. */
export function printHunks(a: string[], b: string[]): string {
  let text = ""
  for (const group of grouped(diffLines(a, b))) {
    const [first, last] = [group[0] as Hunk, group.at(-1) as Hunk]
    const aStart = Math.max(0, first.aStart - CONTEXT)
    const bStart = Math.max(0, first.bStart - CONTEXT)
    const aEnd = Math.min(a.length, last.aEnd + CONTEXT)
    const bEnd = Math.min(b.length, last.bEnd + CONTEXT)
    text += `@@ -${range(aStart, aEnd)} +${range(bStart, bEnd)} @@\n`
    let at = aStart
    for (const hunk of group) {
      text += marked(" ", a.slice(at, hunk.aStart))
      text += marked("-", a.slice(hunk.aStart, hunk.aEnd)) + marked("+", b.slice(hunk.bStart, hunk.bEnd))
      at = hunk.aEnd
    }
    text += marked(" ", a.slice(at, aEnd))
  }
  return text
}

function grouped(hunks: Hunk[]): Hunk[][] {
  const groups: Hunk[][] = []
  for (const hunk of hunks) {
    const last = groups.at(-1)
    const before = last?.at(-1)
    if (last !== undefined && before !== undefined && hunk.aStart - before.aEnd <= 2 * CONTEXT) last.push(hunk)
    else groups.push([hunk])
  }
  return groups
}

function range(start: number, end: number): string {
  return `${end === start ? start : start + 1},${end - start}`
}

function marked(mark: string, lines: string[]): string {
  return lines
    .map((line) => (line.endsWith("\n") ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`))
    .join("")
}
