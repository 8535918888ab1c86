// Split: a new session that starts as this path. The records are the same, byte for byte; consent is not copied.
import { directoryOf } from "../../history/tree/directory.ts"
import { isSaid } from "../../history/tree/person-words.ts"
import { config, entryId, type History, labels, NONE, path, promptAt, type Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import {
  type ConfigRecord,
  type Entry,
  isEntry,
  type LabelRecord,
  type LogRecord,
  type Part,
  type SessionRecord,
  type UnknownEntry,
  type WritableRecord,
} from "../../model/record/record.ts"
import { SYSTEM_KEY } from "../../model/record/state-key.ts"
import { FORMAT } from "../../model/record/version.ts"
import { oneLine } from "../../model/text/one-line.ts"
import { discarded, type SessionLog } from "../../store/port.ts"
import { promptText } from "../files/describe-move.ts"
import type { OpenSession } from "../state/open-session.ts"

/** What a split adds to the title, or to the prompt that serves as one. */
export const SPLIT_SUFFIX = " (split)"

export interface SplitOptions {
  made: SessionRecord["made"]
  /** The directory of the new session, if that of the source is unknown. */
  cwd: string
  as: "split" | "attempt"
}

/** Contract: only reads the source. A failure leaves no new session behind. */
export async function splitLog(session: OpenSession, at: Row, options: SplitOptions): Promise<SessionLog> {
  const to = session.log.agent === undefined ? at : lastKept(session.history, at)
  const log = await session.store.create(headerFor(session, to, options))
  try {
    if (session.log.agent === undefined) await log.copy(lines(session, to))
    else await log.append([...ownRecords(session.history, to)], { durability: "fast" })
    const extras = [...moveTo(session, log, to), ...carried(session, to)]
    if (extras.length > 0) await log.append(extras, { durability: "fast" })
    return log
  } catch (error) {
    return discarded(session.store, log, error)
  }
}

function headerFor(session: OpenSession, to: Row, { made, cwd: otherwise, as }: SplitOptions): SessionRecord {
  const from = { session: session.log.id, entry: entryId(session.history, to), as }
  const cwd = directoryOf(session.log) || otherwise
  return { id: session.ids.session(), type: "session", at: session.now(), ...FORMAT, cwd, made, from }
}

function* lines(session: OpenSession, to: Row): Generator<Uint8Array> {
  for (const row of path(session.history, to)) yield session.log.line(row)
}

/** The nearest entry, at the row or above it, that means something here. */
function lastKept(history: History, at: Row): Row {
  for (let row = at; row !== NONE; row = history.parent(row)) if (isKept(history.record(row))) return row
  return NONE
}

/** The system prompt is about another agent's tools: the next turn adds ours. */
function isKept(record: LogRecord | undefined): record is Exclude<Entry, UnknownEntry> {
  if (record === undefined || !isEntry(record) || record.type === "unknown-entry") return false
  return record.type !== "state" || record.key !== SYSTEM_KEY
}

/**
 * Another agent's entries as ours. What means nothing here is dropped; what followed it continues the entry before it.
 */
function* ownRecords(history: History, to: Row): Generator<WritableRecord> {
  let parent: EntryId | null = null
  for (const row of path(history, to)) {
    const record = history.record(row)
    if (!isKept(record)) continue
    yield { ...(record.type === "message" ? { ...record, content: record.content.map(sentWhole) } : record), parent }
    parent = record.id
  }
}

/** Our own requests have all of it. */
function sentWhole(part: Part): Part {
  if (part.type !== "tool-result" || part.cut === undefined) return part
  const { cut: _, ...whole } = part
  return whole
}

/** A note or a compaction at the end is there because of a move that was not copied, so a new one is added. */
function moveTo(session: OpenSession, { history }: SessionLog, to: Row): WritableRecord[] {
  const head = { from: entryId(history, history.head), to: entryId(session.history, to) }
  if (head.from === head.to) return []
  return [{ id: session.ids.record(), type: "operation", at: session.now(), kind: "goto", by: "person", head }]
}

/** Labels of the copied entries, and the title. */
function carried(session: OpenSession, to: Row): WritableRecord[] {
  const at = session.now()
  const records: WritableRecord[] = []
  const kept = new Set(path(session.history, to).map((row) => session.history.id(row) as string))
  for (const [entry, name] of labels(session.history)) {
    if (!kept.has(entry)) continue
    records.push({ id: session.ids.record(), type: "label", at, entry, name } satisfies LabelRecord)
  }
  const value = splitTitle(session, to)
  if (value !== undefined)
    records.push({ id: session.ids.record(), type: "config", at, key: "title", value } satisfies ConfigRecord)
  return records
}

/** The title of a copy, which must differ from the original's; undefined if there is nothing to name it after. */
export function splitTitle(session: OpenSession, to: Row): string | undefined {
  const title = config(session.history).get("title") ?? session.history.titleBeside ?? firstPrompt(session, to)
  if (typeof title !== "string" || title === "") return undefined
  return title.endsWith(SPLIT_SUFFIX) ? title : title + SPLIT_SUFFIX
}

const TITLE_LENGTH = 80

/** A session without a title is listed by this: two of them must not look the same. */
function firstPrompt(session: OpenSession, to: Row): string {
  const text = promptText(session.history, promptAt(session.history, to, 1))?.text ?? ""
  return oneLine(text, TITLE_LENGTH)
}

/**
 * Where a split at this entry starts: before what the person said, as with goto, so that it can be rewritten. At the
 * head it is the whole path, even if that ends with a prompt.
 */
export function splitPoint(
  session: OpenSession,
  entry: Row | "head",
  as: SplitOptions["as"] = "split",
): { to: Row; prompt: Row } {
  if (as === "split" && session.history.head === NONE && session.history.tips().length === 0) {
    throw new RetconError({
      code: "invalid",
      problem: "The session is empty.",
      advice: "There is nothing to split off.",
    })
  }
  if (entry === "head") return { to: session.head, prompt: NONE }
  if (!isSaid(session.history, entry)) return { to: entry, prompt: NONE }
  return { to: session.history.parent(entry), prompt: entry }
}
