// A listed session as src/find searches it, and what its found lines say.
import { closeSync, constants, openSync, statSync } from "node:fs"
import type { Searched, SearchedFile } from "../../find/find.ts"
import { type Excerpt, excerpt, occurrences } from "../../find/occurrences.ts"
import type { Term } from "../../find/query.ts"
import type { SessionLine } from "../../find/rank.ts"
import type { AnyStore } from "../../foreign/any-store.ts"
import { shortIds } from "../../history/tree/short-ids.ts"
import { type History, isOnPath, NONE } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import { lineMarks, WHO } from "../../model/line-marks.ts"
import { isEntry, KIND, type LogRecord } from "../../model/record/record.ts"
import { parseRecord } from "../../model/record/record-parse.ts"
import type { FoundHit } from "../../protocol/library.ts"
import { searchable } from "../../session/searchable.ts"
import { blobFolder } from "../../store/file/disk/layout.ts"
import { attemptRead, orNothing } from "../../store/file/disk/problems.ts"
import { readAt } from "../../store/file/disk/read-at.ts"
import { fill } from "../../store/file/log/blobs.ts"
import type { SessionLog, SessionSummary } from "../../store/port.ts"

export interface SearchedSession extends Searched {
  summary: SessionSummary
}

const OUR_MARKS = lineMarks([
  ['"type":"operation"', "nobody"],
  ['"type":"snapshot"', "nobody"],
  ['"key":"system"', "nobody"],
  ['"origin":"prompt"', "you"],
  ['"origin":"steer"', "you"],
  ['"origin":"command"', "you"],
])

export function searchedSession(store: AnyStore, summary: SessionSummary): SearchedSession {
  const { title, bytes, updated } = summary
  return { summary, title, bytes, updated: Date.parse(updated) || 0, files: () => filesOf(store, summary) }
}

async function filesOf(store: AnyStore, summary: SessionSummary): Promise<SearchedFile[]> {
  const { file } = summary
  if (isOurs(summary)) {
    if (file === undefined) return []
    const { size } = attemptRead(file, () => statSync(file))
    return [{ file, size, marks: OUR_MARKS, isOurs: true }]
  }
  const unread = await store.foreign.unread(summary)
  const marks = unread.lineMarks
  return unread.files().flatMap(({ file: each, upTo = Number.POSITIVE_INFINITY, load }): SearchedFile[] => {
    if (load !== undefined) return [{ file: each, size: 0, marks, isOurs: false, load }]
    const stat = orNothing(() => statSync(each))
    return stat?.isFile() === true ? [{ file: each, size: Math.min(stat.size, upTo), marks, isOurs: false }] : []
  })
}

function isOurs({ agent }: Pick<SessionSummary, "agent">): boolean {
  return agent === undefined || agent === "retcon"
}

export interface HitsWanted {
  terms: readonly Term[]
  lines: readonly SessionLine[]
  /** Within words too. */
  inside: boolean
  /** Only what is on branches that were left. */
  left: boolean
  most: number
}

export interface SessionHits {
  /** Best first. */
  hits: FoundHit[]
  /** Bits of all terms that were found in entries. */
  mask: number
}

/** What the found lines say. Contract: reads no other lines, except to place them in the tree. */
export async function readHits(store: AnyStore, summary: SessionSummary, wanted: HitsWanted): Promise<SessionHits> {
  const byFile = new Map<string, SessionLine[]>()
  for (const line of wanted.lines) byFile.set(line.file, [...(byFile.get(line.file) ?? []), line])
  for (const lines of byFile.values()) lines.sort((a, b) => a.from - b.from)
  const log = await openLog(store, summary)
  try {
    const place = placer(log.history, wanted.left)
    const found: PlacedHit[] = []
    let mask = 0
    for (const record of recordsAt(log, summary, byFile)) {
      const match = matchIn(record, wanted)
      const hit = match && place(record, match.where)
      if (match === undefined || hit === undefined) continue
      mask |= match.mask
      const { text, marks } = match.excerpt
      found.push({ hit: { ...hit, where: match.where, text, marks }, mask: match.mask, score: match.score })
    }
    return { hits: bestHits(found, wanted.most), mask }
  } finally {
    await log.close()
  }
}

async function openLog(store: AnyStore, summary: SessionSummary): Promise<SessionLog> {
  if (!isOurs(summary)) return (await store.foreign.unread(summary)).log()
  return summary.file === undefined ? store.open(summary.id) : store.openFile(summary.file)
}

type Lines = ReadonlyMap<string, readonly SessionLine[]>

function* recordsAt(log: SessionLog, summary: SessionSummary, byFile: Lines): Generator<LogRecord> {
  if (isOurs(summary)) for (const [file, lines] of byFile) yield* ourRecords(file, lines)
  else if (hasRowsAt(log)) {
    const { history } = log
    for (const [file, lines] of byFile) {
      for (const row of log.rowsAt(file, lines)) {
        const record = history.record(history.kind(row) === KIND.amendment ? history.unit(row) : row)
        if (record !== undefined) yield record
      }
    }
  }
}

type WithRowsAt = SessionLog & { rowsAt(file: string, lines: readonly SessionLine[]): number[] }

function hasRowsAt(log: SessionLog): log is WithRowsAt {
  return "rowsAt" in log
}

function* ourRecords(file: string, lines: readonly SessionLine[]): Generator<LogRecord> {
  const fd = attemptRead(file, () => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK))
  try {
    for (const { from, to } of lines) {
      const parsed = attemptRead(file, () => parseRecord(readAt(fd, from, to - from).toString("utf8")))
      if (parsed.ok) yield attemptRead(file, () => fill(parsed.value, blobFolder(file)))
    }
  } finally {
    closeSync(fd)
  }
}

interface Match {
  where: string
  excerpt: Excerpt
  mask: number
  score: number
}

/** What each further term counts, compared with who said it. */
const EACH_TERM = 10

/** The text of a record in which most terms are. */
function matchIn(record: LogRecord, { terms, inside }: HitsWanted): Match | undefined {
  let best: Match | undefined
  let all = 0
  for (const { where, text } of searchable(record)) {
    const found = occurrences(text, terms, where, inside)
    if (found.length === 0) continue
    const mask = found.reduce((bits, { term }) => bits | (1 << term), 0)
    all |= mask
    const who = WHO.findIndex((each) => each === where)
    const score = EACH_TERM * countBits(mask) + (who === -1 ? 1 : WHO.length - who)
    if (best === undefined || score > best.score) best = { where, excerpt: excerpt(text, found), mask, score }
  }
  return best && { ...best, mask: all }
}

function countBits(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++
  return count
}

interface PlacedHit {
  hit: FoundHit
  mask: number
  score: number
}

/** Best first, and each further one for a term that is not yet shown, if there is such. */
function bestHits(found: PlacedHit[], most: number): FoundHit[] {
  const left = found.sort((a, b) => b.score - a.score || (a.hit.at < b.hit.at ? 1 : -1))
  const best: FoundHit[] = []
  let seen = 0
  while (best.length < most && left.length > 0) {
    const isNew = left.findIndex(({ mask }) => (mask & ~seen) !== 0)
    for (const { hit, mask } of left.splice(Math.max(0, isNew), 1)) {
      seen |= mask
      best.push(hit)
    }
  }
  return best
}

function entryOf(record: LogRecord): EntryId | null {
  if (record.type === "label") return record.entry
  return isEntry(record) ? record.id : null
}

type Place = Pick<FoundHit, "entry" | "short" | "at" | "onPath">

/** Undefined for what was placed before; what is not in an entry of this session belongs to the session as a whole. */
function placer(history: History, left: boolean): (record: LogRecord, where: string) => Place | undefined {
  const ids = shortIds(history)
  const { head } = history
  const seen = new Set<string>()
  return (record, where) => {
    const entry = entryOf(record)
    const row = entry === null ? NONE : history.rowOf(entry)
    const key = `${entry ?? ""} ${where}`
    if (seen.has(key)) return undefined
    seen.add(key)
    const { at } = record
    if (row === NONE) return left ? undefined : { entry: null, short: "", at, onPath: true }
    const onPath = isOnPath(history, row, head)
    return left && onPath ? undefined : { entry, short: ids.of(row), at, onPath }
  }
}
