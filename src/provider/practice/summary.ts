// Summaries for compaction: recognising that one is asked for, its sections, and reading what remains from one.
import type { ModelMessage } from "../port.ts"
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
export type Summary = Map<Section, string[]>

const HEADINGS = /\b(?:goal|constraints|done|in progress|decisions|next step|files (?:read|changed))\b/gi

/** A request for a summary speaks of summarising and names at least four of the sections. */
export function isSummaryRequest(text: string): boolean {
  if (!/\bsummar(?:y|ise|ize)\b/i.test(text)) return false
  return new Set(text.match(HEADINGS)?.map((heading) => heading.toLowerCase())).size >= 4
}

/** The text of the last message, when a person or a program asks with it. */
export function lastAsked(messages: readonly ModelMessage[]): string {
  const last = messages.at(-1)
  if (last === undefined || last.role === "assistant") return ""
  return last.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
}

export function printSummary(summary: Summary): string {
  return SECTIONS.map((section) => {
    const lines = summary.get(section) ?? []
    return `## ${section}\n${lines.length === 0 ? "- none" : lines.map((line) => `- ${line}`).join("\n")}`
  }).join("\n\n")
}

export function parseSummary(text: string): Summary {
  const summary: Summary = new Map()
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
