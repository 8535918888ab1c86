// What a summary replaced, and what it does not mention, so that a person can judge it.
import type { History, Row } from "../../history/tree/tree.ts"
import { type Part, plainText } from "../../model/record/part.ts"

export interface SummaryReport {
  messages: number
  charactersBefore: number
  charactersAfter: number
  /** Paths, numbers and names that the summary does not mention, most frequent first. */
  missing: string[]
}

const MOST = 20
/**
 * Matches only at the start of a word, with bounds: a megabyte without a space is read once, not once per character.
 */
const PATH =
  /(?<![\w.-])(?:[\w.-]{1,255}\/){1,64}[\w.-]{0,255}\w|(?<![\w-])[\w-]{1,255}\.(?:ts|tsx|js|mjs|py|rs|go|java|c|h|cpp|md|json|ya?ml|toml|css|html|sh|sql)\b/g
const NUMBER = /\b\d{3,}\b/g
const NAME = /\b(?:[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[a-z]+(?:_[a-z0-9]+)+)\b/g

/** What was said and what was called, but not what tools printed: most of that is not worth keeping. */
function saidIn(content: readonly Part[]): string {
  const inputs = content.flatMap((part) => (part.type === "tool-call" ? [JSON.stringify(part.input)] : []))
  return [plainText(content), ...inputs].join("\n")
}

export function summaryReport(history: History, replaced: readonly Row[], summary: string): SummaryReport {
  const texts = replaced.flatMap((row) => {
    const record = history.record(row)
    return record?.type === "message" ? [saidIn(record.content)] : []
  })
  const before = texts.join("\n")
  const counts = new Map<string, number>()
  for (const pattern of [PATH, NUMBER, NAME]) {
    for (const [found] of before.matchAll(pattern)) counts.set(found, (counts.get(found) ?? 0) + 1)
  }
  const missing = [...counts]
    .filter(([found]) => !summary.includes(found))
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST)
    .map(([found]) => found)
  return { messages: texts.length, charactersBefore: before.length, charactersAfter: summary.length, missing }
}
