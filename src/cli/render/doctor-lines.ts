// What doctor found, on a screen: by file, lines with the same problem together.
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine, wrap } from "../../model/text/sanitise.ts"
import type { ExaminedFile } from "../../protocol/library.ts"
import type { FoundProblem } from "../../protocol/shapes.ts"
import type { Style } from "./style.ts"

export interface DoctorTotals {
  sessions: number
  lines: number
  problems: number
  notes: number
}

export function* doctorLines(examined: readonly ExaminedFile[], width: number, style: Style): Generator<string> {
  for (const { file, findings } of examined) {
    if (findings.length === 0) continue
    yield style.strong(sanitiseLine(file))
    for (const group of grouped(findings)) yield* groupLines(group, width, style)
    yield ""
  }
}

export function totalsOf(examined: readonly ExaminedFile[]): DoctorTotals {
  const totals: DoctorTotals = { sessions: 0, lines: 0, problems: 0, notes: 0 }
  for (const { session, lines, findings } of examined) {
    if (lines > 0 || session !== null) totals.sessions++
    totals.lines += lines
    for (const { severity } of findings) {
      if (severity === "problem") totals.problems++
      else totals.notes++
    }
  }
  return totals
}

export function totalLine(totals: DoctorTotals, style: Style): string {
  const seen = `${count(totals.sessions, "session")}, ${count(totals.lines, "line")}`
  if (totals.problems > 0) return style.bad(`${count(totals.problems, "problem")} in ${seen}.`)
  return `${style.good("All good")}: ${seen}${totals.notes > 0 ? `, ${count(totals.notes, "note")} above` : ""}.`
}

interface Group {
  words: FoundProblem
  /** Line numbers, if there are any. */
  lines: number[]
}

/** Findings with the same words form one group, in the order of their first occurrence. */
function grouped(findings: readonly FoundProblem[]): Group[] {
  const groups = new Map<string, Group>()
  for (const words of findings) {
    const lines = words.line === undefined ? [] : [words.line]
    const group = groups.get(words.what)
    if (group === undefined) groups.set(words.what, { words, lines })
    else group.lines.push(...lines)
  }
  return [...groups.values()]
}

function* groupLines({ words, lines }: Group, width: number, style: Style): Generator<string> {
  const mark = words.severity === "problem" ? style.bad("✗") : style.quiet("·")
  const [first = "", ...rest] = wrap(`${linesNamed(lines)}${sanitiseLine(words.what)}`, width - 4)
  yield `  ${mark} ${first}`
  for (const line of rest) yield `    ${line}`
  for (const text of [words.means, words.advice]) {
    if (text !== "") for (const line of wrap(text, width - 4)) yield style.quiet(`    ${line}`)
  }
}

const MOST_NAMED = 5

/** "line 12 ", "lines 12, 15 and 3 more: ". */
function linesNamed(lines: readonly number[]): string {
  if (lines.length === 0) return ""
  if (lines.length === 1) return `line ${lines[0]} `
  const named = lines.slice(0, MOST_NAMED).join(", ")
  const more = lines.length > MOST_NAMED ? ` and ${lines.length - MOST_NAMED} more` : ""
  return `lines ${named}${more}: each `
}
