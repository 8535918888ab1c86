// How well a session answers a query. The score depends on nothing but that session, the query and the time: whatever else was
// searched, in whatever order, the same sessions come first.
import type { Term } from "./query.ts"
import { type FoundLine, isRequired, keepBest, type ScanResult, WEIGHT } from "./scan.ts"

export interface SessionLine extends FoundLine {
  file: string
}

/** What was found in one session. */
export interface Evidence extends Omit<ScanResult, "lines"> {
  lines: SessionLine[]
  /** Bits of the terms in its title. */
  title: number
}

export interface Ranked {
  /** When it was last used, in milliseconds. */
  updated: number
  bytes: number
}

const SPEAKERS = WEIGHT.length
/** Beyond this, repeating a word does not improve a session's rank. */
const MOST_COUNTED = 8
const DAY = 86_400_000
/** Bytes of a log: about one round, and a few. */
const [ONE_ROUND, SOME_ROUNDS] = [30_000, 200_000]

export function addResult(
  to: Evidence,
  { mask, inside, counts, lines, span }: ScanResult,
  file: string,
  most: number,
): void {
  to.mask |= mask
  to.inside |= inside
  for (let i = 0; i < counts.length; i++) to.counts[i] = (to.counts[i] ?? 0) + (counts[i] ?? 0)
  for (const line of lines) to.lines.push({ ...line, file })
  keepBest(to.lines, most, (a, b) => (a.file === b.file ? a.from - b.from : a.file < b.file ? -1 : 1))
  to.span = Math.min(to.span, span)
}

export function noEvidence(terms: number, title: number): Evidence {
  return {
    mask: title,
    inside: 0,
    counts: new Float64Array(terms * SPEAKERS),
    lines: [],
    span: Number.POSITIVE_INFINITY,
    title,
  }
}

/** Whether these terms are all that a session must have, and none that it must not. */
export function fits(terms: readonly Term[], mask: number): boolean {
  let group = 0
  let has = true
  for (const [number, term] of terms.entries()) {
    const isThere = (mask & (1 << number)) !== 0
    if (term.not) {
      if (isThere) return false
      continue
    }
    if (!isRequired(term)) continue
    if (term.group !== group) {
      if (!has) return false
      group = term.group
      has = false
    }
    has ||= isThere
  }
  return has
}

/** Long and rare-looking words say more. The same everywhere, so that a score is final when its session has been read. */
function weightOf({ text, kind }: Term): number {
  return 1 + Math.min(0.6, Math.max(0, text.length - 4) * 0.1) + (kind === "phrase" ? 0.5 : 0)
}

/** `mask`: the terms that count, of the session and of each line. */
export function scoreOf(terms: readonly Term[], evidence: Evidence, session: Ranked, now: number): number {
  const length = lengthOf(session)
  let sum = 0
  for (const [number, term] of terms.entries()) {
    if (!term.not) sum += weightOf(term) * saturated(frequency(evidence, number), length)
  }
  return sum * closeness(terms, evidence) * recency(session, now)
}

/** A session that was used lately ranks higher, by up to a third. */
function recency({ updated }: Ranked, now: number): number {
  return 0.7 + 0.3 * Math.exp(-Math.max(0, now - updated) / DAY / 30)
}

function lengthOf({ bytes }: Ranked): number {
  return 0.6 + 0.2 * Math.log2(2 + bytes / 1e6)
}

function saturated(frequency: number, length: number): number {
  return (frequency * 2.2) / (frequency + 4.8 * length)
}

function frequency({ counts, title, inside }: Evidence, term: number): number {
  const isTitled = (title & (1 << term)) !== 0
  let sum = isTitled ? 8 : 0
  for (let who = 0; who < SPEAKERS; who++)
    sum += (WEIGHT[who] ?? 1) * Math.min(MOST_COUNTED, counts[term * SPEAKERS + who] ?? 0)
  return sum > 0 || (inside & (1 << term)) === 0 ? sum : 0.1
}

/** How close together the terms were said: best in one message of the person. */
function closeness(terms: readonly Term[], { lines, span, title }: Evidence): number {
  let best = fits(terms, title) ? (WEIGHT[0] ?? 0) : 0
  for (const { mask, inside, who } of lines) if (fits(terms, mask | inside)) best = Math.max(best, WEIGHT[who] ?? 1)
  if (terms.filter(isRequired).length <= 1) return 1 + best / 8
  if (best > 0) return 2 + best / 8
  return span < ONE_ROUND ? 1.4 : span < SOME_ROUNDS ? 1.1 : 1
}

/** How much of a question is in one message: for sessions that do not have all of its words. `rarity`: by term. */
export function shareOf(terms: readonly Term[], { lines }: Evidence, rarity: readonly number[]): number {
  let all = 0
  for (const [number, term] of terms.entries()) if (!term.not) all += (rarity[number] ?? 0) ** 2
  let best = 0
  for (const { mask, who } of lines) {
    let sum = 0
    for (const [number, term] of terms.entries())
      if (!term.not && (mask & (1 << number)) !== 0) sum += (rarity[number] ?? 0) ** 2
    best = Math.max(best, (sum / all) * (0.75 + (WEIGHT[who] ?? 1) / 32))
  }
  return best
}
