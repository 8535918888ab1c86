// Summaries for compaction: recognises a request for one, knows its sections, and reads from one what remains.
import type { ModelMessage } from "../port/port.ts"
import { parseRequests } from "./parse.ts"
import type { Request } from "./request.ts"

const SECTIONS = [
  "Goal",
  "Constraints",
  "Done",
  "In progress",
  "Decisions",
  "Next step",
  "Files read",
  "Files changed",
] as const
export type Section = (typeof SECTIONS)[number]
export type SummarySections = Map<Section, string[]>

const HEADINGS = /\b(?:goal|constraints|done|in progress|decisions|next step|files (?:read|changed))\b/gi

/** A request for a summary mentions summarising and names at least four of the sections. */
export function isSummaryRequest(text: string): boolean {
  if (!/\bsummar(?:y|ise|ize)\b/i.test(text)) return false
  return new Set(text.match(HEADINGS)?.map((heading) => heading.toLowerCase())).size >= 4
}

/** If the last message asks for a summary: the messages without that request. */
export function beforeSummaryRequest(messages: readonly ModelMessage[]): ModelMessage[] | undefined {
  const last = messages.at(-1)
  if (last === undefined || last.role === "assistant") return undefined
  const rest = last.content.filter((part) => part.type !== "text" || !isSummaryRequest(part.text ?? ""))
  if (rest.length === last.content.length) return undefined
  const before = messages.slice(0, -1)
  return rest.length === 0 ? before : [...before, { ...last, content: rest }]
}

export function printSummary(summary: SummarySections): string {
  return SECTIONS.map((section) => {
    const lines = summary.get(section) ?? []
    return `## ${section}\n${lines.length === 0 ? "- none" : lines.map((line) => `- ${line}`).join("\n")}`
  }).join("\n\n")
}

export function parseSummary(text: string): SummarySections {
  const summary: SummarySections = new Map()
  for (const block of text.split(/^## /m).slice(1)) {
    const [heading = "", ...lines] = block.split("\n")
    const section = SECTIONS.find((name) => name === heading.trim())
    const items = lines.flatMap((line) => (line.startsWith("- ") && line !== "- none" ? [line.slice(2)] : []))
    if (section !== undefined) summary.set(section, items)
  }
  return summary
}

/** What an earlier summary says is still to be done. */
export function pendingOfSummary(text: string): Request[] {
  const lines = parseSummary(text).get("In progress") ?? []
  return lines.flatMap((line) => parseRequests(line)).filter((request) => request.do !== "unknown")
}
