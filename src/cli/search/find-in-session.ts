// What to search in one session, and the hits in it, in all of its branches.
import { closeSync, constants, openSync } from "node:fs"
import type { UnreadSession } from "../../foreign/foreign-store.ts"
import { path } from "../../history/tree/path.ts"
import { shortIds } from "../../history/tree/short-ids.ts"
import { type History, NONE } from "../../history/tree/tree.ts"
import type { RecordId } from "../../model/id.ts"
import { KIND } from "../../model/record/kind.ts"
import { isEntry, type LogRecord } from "../../model/record/record.ts"
import { parseRecord } from "../../model/record/record-parse.ts"
import { searchable } from "../../session/searchable.ts"
import { blobFolder } from "../../store/file/disk/layout.ts"
import { attemptRead } from "../../store/file/disk/problems.ts"
import { readAt } from "../../store/file/disk/read-at.ts"
import type { GrepFile } from "../../store/file/grep/grep-files.ts"
import type { LinePlace } from "../../store/file/grep/piece.ts"
import { fill } from "../../store/file/log/blobs.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"

export interface Patterns {
  /** For the bytes of a line, and for text. */
  bytes: RegExp
  text: RegExp
}

/** One entry that contains the text. */
export interface Hit {
  /** The entry; null for the title of the session. */
  entry: RecordId | null
  /** Its id in views. */
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

export type SearchedSession = Pick<SessionSummary, "id" | "file" | "agent" | "bytes">

/** What to search for a session, and what its matching lines say. */
export interface Search {
  files: GrepFile[]
  hits(found: readonly FoundLines[], pattern: RegExp): Promise<Hit[]>
}

export interface FoundLines {
  file: string
  lines: LinePlace[]
}

export const NO_FILES: Search = { files: [], hits: async () => [] }

export async function searchOf(cli: Cli, session: SearchedSession): Promise<Search> {
  const { file } = session
  if (!isOurs(session)) return searchOfOthers(await cli.store.foreign.unread(session))
  return file === undefined ? NO_FILES : searchOfOurs(cli, file)
}

export function isOurs({ agent }: SearchedSession): boolean {
  return agent === undefined || agent === "retcon"
}

/** Another agent's session: its files are searched as they are, and only what may match is read. */
function searchOfOthers(unread: UnreadSession): Search {
  return {
    files: unread.files(),
    async hits(found, pattern) {
      const log = unread.log()
      try {
        const rows = found.flatMap(({ file, lines }) => log.rowsAt(file, lines))
        const matches = rows.flatMap((row) => {
          const { history } = log
          const record = history.record(history.kind(row) === KIND.amendment ? history.unit(row) : row)
          return (record && matchIn(record, pattern)) ?? []
        })
        return placed(log.history, matches)
      } finally {
        await log.close()
      }
    },
  }
}

function searchOfOurs(cli: Cli, file: string): Search {
  return {
    files: [{ file, isOurs: true }],
    async hits(found, pattern) {
      const matches = found.flatMap(({ lines }) => matchesAt(file, lines, pattern))
      if (matches.length === 0) return []
      const log = await cli.store.openFile(file)
      try {
        return placed(log.history, matches)
      } finally {
        await log.close()
      }
    },
  }
}

/** For the records on these lines of one of our logs. */
function matchesAt(file: string, lines: readonly LinePlace[], pattern: RegExp): Match[] {
  return attemptRead(file, () => {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return lines.flatMap(({ from, to }) => {
        const parsed = parseRecord(readAt(fd, from, to - from).toString("utf8"))
        return (parsed.ok ? matchIn(fill(parsed.value, blobFolder(file)), pattern) : undefined) ?? []
      })
    } finally {
      closeSync(fd)
    }
  })
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

/** Which of them are on the path; what is not an entry of this session belongs to the session as a whole. */
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
