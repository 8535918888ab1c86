// What to search in one session, and the hits in it, in all of its branches.
import { closeSync, constants, openSync } from "node:fs"
import type { AnyStore } from "../../foreign/any-store.ts"
import type { UnreadSession } from "../../foreign/foreign-store.ts"
import { shortIds } from "../../history/tree/short-ids.ts"
import { type History, isOnPath, NONE } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import { isEntry, KIND, type LogRecord } from "../../model/record/record.ts"
import { parseRecord } from "../../model/record/record-parse.ts"
import type { Hit } from "../../protocol/library.ts"
import { searchable } from "../../session/searchable.ts"
import { blobFolder } from "../../store/file/disk/layout.ts"
import { attemptRead } from "../../store/file/disk/problems.ts"
import { readAt } from "../../store/file/disk/read-at.ts"
import type { GrepFile } from "../../store/file/grep/grep-files.ts"
import type { LinePlace } from "../../store/file/grep/piece.ts"
import { fill } from "../../store/file/log/blobs.ts"
import type { SessionLog, SessionSummary } from "../../store/port.ts"

interface Match extends Pick<Hit, "at" | "where" | "before" | "match" | "after"> {
  entry: EntryId | null
}

export type SearchedSession = Pick<SessionSummary, "id" | "file" | "agent" | "bytes">

/** What to search for a session, and what its matching lines say. */
export interface Search {
  files: GrepFile[]
  /** In log order. Contract: a line is read when the hit before it has been taken, so whoever stops early pays for no more. */
  hits(found: readonly FoundLines[], pattern: RegExp): AsyncGenerator<Hit>
}

export interface FoundLines {
  file: string
  lines: LinePlace[]
}

export const NO_FILES: Search = { files: [], async *hits() {} }

export async function searchOf(store: AnyStore, session: SearchedSession): Promise<Search> {
  const { file } = session
  if (!isOurs(session)) return searchOfOthers(await store.foreign.unread(session))
  return file === undefined ? NO_FILES : searchOfOurs(store, file)
}

export function isOurs({ agent }: SearchedSession): boolean {
  return agent === undefined || agent === "retcon"
}

/** Another agent's session: its files are searched as they are, and only what may match is read. */
function searchOfOthers(unread: UnreadSession): Search {
  return {
    files: unread.files(),
    async *hits(found, pattern) {
      const log = unread.log()
      try {
        const { history } = log
        const place = placer(history)
        for (const row of found.flatMap(({ file, lines }) => log.rowsAt(file, lines))) {
          const record = history.record(history.kind(row) === KIND.amendment ? history.unit(row) : row)
          const match = record && matchIn(record, pattern)
          const hit = match && place(match)
          if (hit !== undefined) yield hit
        }
      } finally {
        await log.close()
      }
    },
  }
}

function searchOfOurs(store: AnyStore, file: string): Search {
  return {
    files: [{ file, isOurs: true }],
    async *hits(found, pattern) {
      let log: SessionLog | undefined
      let place: Placer | undefined
      try {
        for (const match of matchesAt(file, found, pattern)) {
          log ??= await store.openFile(file)
          place ??= placer(log.history)
          const hit = place(match)
          if (hit !== undefined) yield hit
        }
      } finally {
        await log?.close()
      }
    },
  }
}

/** In the records on these lines of one of our logs. */
function* matchesAt(file: string, found: readonly FoundLines[], pattern: RegExp): Generator<Match> {
  const fd = attemptRead(file, () => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK))
  try {
    for (const { from, to } of found.flatMap(({ lines }) => lines)) {
      const match = attemptRead(file, () => {
        const parsed = parseRecord(readAt(fd, from, to - from).toString("utf8"))
        return parsed.ok ? matchIn(fill(parsed.value, blobFolder(file)), pattern) : undefined
      })
      if (match !== undefined) yield match
    }
  } finally {
    closeSync(fd)
  }
}

/** How much of the text around a match is kept. */
const AROUND = 200

function matchIn(record: LogRecord, pattern: RegExp): Match | undefined {
  for (const { where, text } of searchable(record)) {
    const found = pattern.exec(text)
    if (found === null) continue
    const end = found.index + found[0].length
    const before = copied(text.slice(Math.max(0, found.index - AROUND), found.index))
    const after = copied(text.slice(end, end + AROUND))
    return { entry: entryOf(record), at: record.at, where, before, match: copied(found[0]), after }
  }
  return undefined
}

/** A slice would keep the whole text in memory. */
function copied(slice: string): string {
  return Buffer.from(slice, "utf16le").toString("utf16le")
}

function entryOf(record: LogRecord): EntryId | null {
  if (record.type === "label") return record.entry
  return isEntry(record) ? record.id : null
}

/** Undefined for what was placed before. */
type Placer = (match: Match) => Hit | undefined

/** Whether a match is on the path; what is not in an entry of this session belongs to the session as a whole. */
function placer(history: History): Placer {
  const ids = shortIds(history)
  const { head } = history
  const seen = new Set<string>()
  return (match) => {
    const row = match.entry === null ? NONE : history.rowOf(match.entry)
    const key = `${match.entry ?? ""} ${match.where}`
    if (seen.has(key)) return undefined
    seen.add(key)
    if (row === NONE) return { ...match, entry: null, short: "", onPath: true }
    return { ...match, short: ids.of(row), onPath: isOnPath(history, row, head) }
  }
}
