// What a file contained before and after a call, from what the agent's own file tells and from what it contained later.
// Contents are bytes as latin1 text, as everywhere where bytes are compared by lines. Null: there was no file.
import type { SaidChange } from "../../../history/files/said-calls.ts"
import { reversedHunks } from "../../../history/files/said-hunks.ts"

export interface Content {
  before: string | null
  after: string | null
}

/** Undefined unless it is certain, byte for byte. `later`: what the file contained at some time after the call. */
export function contentAround(change: SaidChange | undefined, later: string | null): Content | undefined {
  if (change === undefined) return undefined
  const ends = change.lineEnds === "exact" ? "\n" : lineEndsOf(later)
  if (change.lineEnds === "lf-only" && (later === null || ends !== "\n")) return undefined
  if (ends === undefined) return undefined
  if ("before" in change) return wholeContent(change, later, ends)
  if (later === null) return undefined
  const text = ends === "\n" ? later : later.replaceAll("\r\n", "\n")
  const before = "hunks" in change ? reversed(change, text) : replacedBack(change, text)
  return before === undefined ? undefined : { before: withEnds(before, ends), after: later }
}

type Whole = Extract<SaidChange, { before: string | null }>

function wholeContent({ before, after, lastEnd }: Whole, later: string | null, ends: string): Content | undefined {
  if (isLossy(before) || isLossy(after)) return undefined
  const content = { before: bytesOf(before, ends), after: bytesOf(after, ends) }
  if (lastEnd === undefined) return content
  // Of a deleted file it is not known whether its last line ended.
  if (before !== null) return undefined
  return { before: null, after: content.after === `${later}\n` ? later : content.after }
}

function reversed({ hunks, lastEnd }: Extract<SaidChange, { hunks: unknown }>, text: string): string | undefined {
  const lines = hunks.map(({ newStart, lines }) => ({ newStart, lines: lines.map((line) => bytes(line)) }))
  if (hunks.some((hunk) => hunk.lines.some((line) => line.startsWith("-") && isLossy(line)))) return undefined
  return reversedHunks(text, lines, lastEnd)
}

/** Only where the passage is there once, and where what it replaced would be there once. */
function replacedBack(change: Extract<SaidChange, { replaced: string }>, text: string): string | undefined {
  const [replaced, by] = [bytes(change.replaced), bytes(change.by)]
  if (by === "" || isLossy(change.replaced)) return undefined
  const at = onlyPlace(text, by)
  if (at === undefined) return undefined
  const before = text.slice(0, at) + replaced + text.slice(at + by.length)
  return onlyPlace(before, replaced) === undefined ? undefined : before
}

function onlyPlace(text: string, part: string): number | undefined {
  const at = text.indexOf(part)
  return at === -1 || text.includes(part, at + 1) ? undefined : at
}

/** Undefined if it has both. */
function lineEndsOf(text: string | null): "\n" | "\r\n" | undefined {
  if (text === null || !text.includes("\r\n")) return "\n"
  return /(?<!\r)\n/.test(text) ? undefined : "\r\n"
}

function withEnds(text: string, ends: string): string {
  return ends === "\n" ? text : text.replaceAll("\n", ends)
}

function bytesOf(text: string | null, ends: string): string | null {
  return text === null ? null : withEnds(bytes(text), ends)
}

function bytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1")
}

/** Whether bytes that are no text were replaced when it was read. */
function isLossy(text: string | null): boolean {
  return text?.includes("\uFFFD") === true
}
