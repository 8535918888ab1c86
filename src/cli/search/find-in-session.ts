// Looks for a text in one session, in all of its branches.
import { path } from "../../history/tree/path.ts"
import { shortIds } from "../../history/tree/short-ids.ts"
import { type History, NONE } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { RecordId } from "../../model/id.ts"
import { KIND } from "../../model/record/kind.ts"
import { isEntry, type LogRecord } from "../../model/record/record.ts"
import { parseRecord } from "../../model/record/record-parse.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { blobFolder } from "../../store/file/disk/layout.ts"
import { grep } from "../../store/file/folder/grep-lines.ts"
import { fill } from "../../store/file/log/blobs.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { searchable } from "./searchable.ts"

export interface Patterns {
  /** On the bytes of a line, and on text. */
  bytes: RegExp
  text: RegExp
}

/** One entry that holds the text. */
export interface Hit {
  /** The entry; null for the title of the session. */
  entry: RecordId | null
  /** Its id as views show it. */
  short: string
  at: string
  /** Who or what said it. */
  where: string
  onPath: boolean
  before: string
  match: string
  after: string
}

interface Match extends Pick<Hit, "at" | "where" | "before" | "match" | "after"> {
  entry: RecordId | null
}

/** Told the bytes read so far; it may take its time. */
type Tick = (bytes: number) => Promise<void>

/** Contract: hits in log order. */
export function findIn(cli: Cli, session: SearchedSession, patterns: Patterns, tick: Tick): Promise<Hit[]> {
  const { file } = session
  if (session.agent !== undefined && session.agent !== "retcon") {
    // What its agent has moved away meanwhile, or nobody may read, must not hide what others hold.
    return findInOthers(cli, session, patterns, tick).catch((error: unknown) => {
      if (!(error instanceof RetconError)) throw error
      cli.err.write(`retcon: ${sanitiseLine(file ?? session.id)} could not be searched: ${error.message}\n`)
      return []
    })
  }
  return file === undefined ? Promise.resolve([]) : findInOurs(cli, file, patterns, tick)
}

export type SearchedSession = Pick<SessionSummary, "id" | "file" | "agent">

/** In a session of another agent: its files are looked through as they are, and only what may match is read. */
async function findInOthers(cli: Cli, session: SearchedSession, patterns: Patterns, tick: Tick): Promise<Hit[]> {
  const unread = await cli.store.foreign.unread(session)
  const found = new Map<string, { from: number; to: number }[]>()
  for (const { file, bytes, parts } of unread.grep(patterns.bytes)) {
    if (parts.length > 0) found.set(file, [...(found.get(file) ?? []), ...parts])
    await tick(bytes)
  }
  if (found.size === 0) return []
  const log = unread.log()
  try {
    const rows = [...found].flatMap(([file, parts]) => log.rowsAt(file, parts))
    const matches = rows.flatMap((row) => {
      const { history } = log
      const record = history.record(history.kind(row) === KIND.amendment ? history.unit(row) : row)
      return (record && matchIn(record, patterns.text)) ?? []
    })
    return placed(log.history, matches)
  } finally {
    await log.close()
  }
}

async function findInOurs(cli: Cli, file: string, patterns: Patterns, tick: Tick): Promise<Hit[]> {
  const matches: Match[] = []
  for (const { bytes, lines } of grep(file, patterns.bytes)) {
    for (const line of lines) {
      const parsed = parseRecord(line.bytes.toString("utf8"))
      const match = parsed.ok ? matchIn(fill(parsed.value, blobFolder(file)), patterns.text) : undefined
      if (match !== undefined) matches.push(match)
    }
    await tick(bytes)
  }
  if (matches.length === 0) return []
  const log = await cli.store.openFile(file)
  try {
    return placed(log.history, matches)
  } finally {
    await log.close()
  }
}

/** How much of the text around a match is kept. */
const AROUND = 200

function matchIn(record: LogRecord, pattern: RegExp): Match | undefined {
  for (const { where, text } of searchable(record)) {
    const found = pattern.exec(text)
    if (found === null) continue
    const end = found.index + found[0].length
    const before = text.slice(Math.max(0, found.index - AROUND), found.index)
    const after = text.slice(end, end + AROUND)
    return { entry: entryOf(record), at: record.at, where, before, match: found[0], after }
  }
  return undefined
}

function entryOf(record: LogRecord): RecordId | null {
  if (record.type === "label") return record.entry
  return isEntry(record) ? record.id : null
}

/** Which of them are on the path; what is no entry of this session belongs to the session as a whole. */
function placed(history: History, matches: readonly Match[]): Hit[] {
  const ids = shortIds(history)
  const onPath = new Set(path(history, history.head))
  const seen = new Set<string>()
  const hits: Hit[] = []
  for (const match of matches) {
    const row = match.entry === null ? NONE : history.rowOf(match.entry)
    const key = `${match.entry ?? ""} ${match.where}`
    if (seen.has(key)) continue
    seen.add(key)
    if (row === NONE) hits.push({ ...match, entry: null, short: "", onPath: true })
    else hits.push({ ...match, short: ids.of(row), onPath: onPath.has(row) })
  }
  return hits
}
