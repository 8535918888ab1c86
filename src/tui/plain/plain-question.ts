// A question as lines, and the line that answers it.
import { widthOf } from "../../model/text/sanitise.ts"
import { visible } from "../../model/text/visible.ts"
import type { Question } from "../../protocol/numbered-event.ts"
import { brokenLines, GRANT_KEYS, grantLines, headingOf, questionLines } from "../../protocol/question.ts"

/** The size of the person's screen: longer text scrolls away. */
export interface PlainScreen {
  rows: number
  columns: number
}

/** Lines of a page besides the question: its name, the position, and what was typed. */
const AROUND = 4

/** The whole question. If it does not fit on the screen: pages, each shown when the person asks for it. */
export function plainQuestion(question: Question, screen?: PlainScreen): string[] {
  const { warnings, grants } = question
  const heading = `Question: ${headingOf(question)}`
  const choices = grantLines(grants).map(({ key, text }) => `${key}: ${text}`)
  const answer = [...choices, plainKeys(question)]
  const lines = questionLines(question)
  const told = isTold(question, screen) ? warnings.map(visible) : lines.map(({ text }) => text)
  const broken = screen === undefined ? [] : brokenLines(lines, screen.columns).map(({ text }) => text)
  const room = Math.max(3, (screen?.rows ?? Number.POSITIVE_INFINITY) - AROUND - choices.length)
  if (broken.length <= room) return [[heading, ...told, ...answer].join("\n")]
  const pages = Array.from({ length: Math.ceil(broken.length / room) }, (_, i) => i * room)
  return pages.map((from, i) => {
    const page = broken.slice(from, from + room)
    const place = `Lines ${from + 1} to ${from + page.length} of ${broken.length}.`
    const last = i === pages.length - 1
    const next = last ? answer : [`${place} Enter shows more, then you can allow it. n refuses it.`]
    return [...(i === 0 ? [heading] : []), ...page, ...next].join("\n")
  })
}

/** What can be typed. */
export function plainKeys({ grants }: Question): string {
  return `Answer ${["y (once)", ...grants.map(({ id }) => GRANT_KEYS[id]), "n", "or n and a reason"].join(", ")}.`
}

/** Whether the complete diff was already shown when the call began. */
function isTold({ action, task }: Question, screen: PlainScreen | undefined): boolean {
  if (action.kind !== "write" || task !== undefined || action.diff === "") return false
  const lines = action.diff.split("\n")
  return lines.every((line) => visible(line) === line) && isWhole(lines, screen)
}

/** A call shows its whole diff if all of it fits on the screen. */
export function isWhole(diff: readonly string[], screen: PlainScreen | undefined): boolean {
  if (screen === undefined) return true
  const heights = diff.map((line) => Math.max(1, Math.ceil(widthOf(line) / screen.columns)))
  return heights.reduce((sum, height) => sum + height, 0) <= screen.rows / 2
}
