// Breaks lines that are too long for the screen, at spaces where there are any. Shorter lines stay as they are.
import { clip, widthOf } from "./width.ts"

/** The lines of `text`. Continued lines keep the indentation of the first. */
export function wrap(text: string, width: number): string[] {
  return text
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => (widthOf(line) <= width ? [line.trimEnd()] : wrapLine(line, width)))
}

function wrapLine(line: string, width: number): string[] {
  const indent = line.slice(0, Math.min(line.length - line.trimStart().length, Math.floor(width / 2)))
  const room = Math.max(8, width - indent.length)
  const lines: string[] = []
  let current = ""
  // Several spaces may be alignment, or code: within a line they stay.
  for (const [, space = "", word = ""] of line.trim().matchAll(/( *)([^ ]+)/g)) {
    const joined = current === "" ? word : current + space + word
    if (widthOf(joined) <= room) {
      current = joined
      continue
    }
    if (current !== "") lines.push(current)
    current = word
    while (widthOf(current) > room) {
      const part = firstColumns(current, room)
      lines.push(part)
      current = current.slice(part.length)
    }
  }
  if (current !== "") lines.push(current)
  return lines.map((each) => indent + each)
}

/** As much of a long word as fits. Contract: never empty. */
function firstColumns(word: string, width: number): string {
  // An ellipsis takes one column, so clipping to one column more and dropping it leaves `width` columns.
  const cut = clip(word, width + 1)
  const part = cut.endsWith("…") ? cut.slice(0, -1) : word.slice(0, width)
  return part === "" ? word.slice(0, 1) : part
}
