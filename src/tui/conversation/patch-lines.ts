// A unified diff for people: line numbers instead of headers, and code in colour.
import { sanitise } from "../../model/text/sanitise.ts"
import type { Theme } from "../terminal/theme.ts"
import { highlight, languageOf } from "./highlight.ts"

export interface PatchLine {
  /** Safe to print: a number, a sign, and the line. */
  text: string
  /** The width of the number and the sign; 0 for a file's name. */
  gutter: number
  paint: (text: string) => string
}

const HEADER =
  /^(?:diff --git |index |--- |\+\+\+ |new file mode|deleted file mode|old mode|new mode|similarity |rename |\\ No newline)/
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const FILE = /^diff --git a\/.* b\/(.*)$/

/**
 * `path`: of the file, if the diff is about one and does not name it. In a diff of several, each starts with its name.
 */
export function patchLines(diff: string, theme: Theme, path = ""): PatchLine[] {
  const lines = sanitise(diff).replace(/\n$/, "").split("\n")
  const wide = String(lines.reduce((most, line) => Math.max(most, lastLine(line)), 0)).length
  const found: PatchLine[] = []
  let language = languageOf(path)
  let [before, after] = [0, 0]
  /** What remains of the hunk: outside one, a line that starts with a sign is not a change. */
  let [removes, adds] = [0, 0]
  const add = (number: number | "", sign: string, line: string, paint: PatchLine["paint"]) => {
    const text = `${String(number).padStart(wide)} ${sign} ${line.replaceAll("\t", "  ")}`
    found.push({ text: text.trimEnd(), gutter: wide + 3, paint })
  }
  for (const line of lines) {
    const hunk = HUNK.exec(line)
    if (hunk !== null) {
      if (found.length > 0 && after > 0) add("", "⋯", "", theme.quiet)
      ;[before, removes, after, adds] = [1, 2, 3, 4].map((at) => Number(hunk[at] ?? 1)) as [
        number,
        number,
        number,
        number,
      ]
    } else if (removes > 0 && line.startsWith("-")) {
      add(before++, "-", line.slice(1), theme.bad)
      removes--
    } else if (adds > 0 && line.startsWith("+")) {
      add(after++, "+", line.slice(1), coloured(theme, wide, language, theme.good))
      adds--
    } else if (removes > 0 && adds > 0 && (line.startsWith(" ") || line === "")) {
      add(after++, " ", line.slice(1), coloured(theme, wide, language, theme.quiet))
      before++
      removes--
      adds--
    } else if (line.startsWith("diff --git ")) {
      const name = FILE.exec(line)?.[1] ?? ""
      language = languageOf(name)
      after = 0
      if (found.length > 0) found.push({ text: "", gutter: 0, paint: theme.quiet })
      found.push({ text: name, gutter: 0, paint: theme.strong })
    } else if (!HEADER.test(line) && line !== "") found.push({ text: line, gutter: 0, paint: theme.quiet })
  }
  return found
}

function lastLine(line: string): number {
  const [, a, b = 1, c, d = 1] = HUNK.exec(line) ?? []
  return a === undefined ? 0 : Math.max(Number(a) + Number(b), Number(c) + Number(d)) - 1
}

/** The number and the sign in one colour, the code in its own; text without a language all in the first. */
function coloured(theme: Theme, wide: number, language: string | undefined, paint: (text: string) => string) {
  return (text: string) => {
    if (language === undefined) return paint(text)
    const gutter = text.slice(0, wide + 3)
    return paint(gutter) + (highlight(text.slice(wide + 3), language, theme)[0] ?? "")
  }
}
