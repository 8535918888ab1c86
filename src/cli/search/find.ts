// Looks for a text in one session, in all of its branches.
import { path } from "../../history/tree/path.ts"
import { shortIds } from "../../history/tree/short-ids.ts"
import { type History, NONE } from "../../history/tree/tree.ts"
import type { RecordId } from "../../model/id.ts"
import { isEntry, type LogRecord } from "../../model/record/record.ts"
import { parseRecord } from "../../model/record/record-parse.ts"
import { blobFolder } from "../../store/file/disk/layout.ts"
import { grep } from "../../store/file/folder/grep.ts"
import { fill } from "../../store/file/log/blobs.ts"
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

/** Contract: hits in log order. `tick` is called with the bytes read so far, and may take its time. */
export async function findIn(
  cli: Cli,
  file: string,
  patterns: Patterns,
  tick: (bytes: number) => Promise<void>,
): Promise<Hit[]> {
  const matches: Match[] = []
  for (const { bytes, lines } of grep(file, patterns.bytes)) {
    for (const line of lines) {
      const parsed = parseRecord(line.toString("utf8"))
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
