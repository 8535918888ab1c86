// Appends entries: each continues the one before, the first continues the head or the entry that is named.
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { type EntryId, parseEntryId } from "../../model/id.ts"
import { isPrompt } from "../../model/record/prompt.ts"
import { isEntryKind, type OperationRecord, type WritableRecord } from "../../model/record/record.ts"
import type { EntryDraft } from "./draft.ts"
import { openAfter, openCallsOf, settlingDraft } from "./open-calls.ts"
import {
  busy,
  isTornApart,
  moveRecord,
  noticeAll,
  type OpenSession,
  tellMoved,
  tellOthers,
  write,
} from "./open-session.ts"

export interface AppendOptions {
  /** The end of a step: survives a power cut, unless the session is `fast`. A prompt always does. */
  durable?: boolean
  /** The entry that the first one continues, or null for the empty conversation; by default the head. */
  parent?: EntryId | null
  /** Outside a turn: no other process can begin one meanwhile. Throws `session-busy` if one runs, and then appends nothing. */
  between?: "turns"
}

/**
 * Contract: runs inside the session's queue. Open calls of a turn that died are settled first, in the same write. Another
 * parent than the head is a move, recorded with the entries: undo takes back first these, then the move.
 */
export async function appendEntries(
  session: OpenSession,
  drafts: readonly EntryDraft[],
  options: AppendOptions = {},
): Promise<EntryId[]> {
  if (drafts.length === 0) return []
  for (const draft of drafts) mustBeSaid(draft)
  noticeAll(session)
  mustStand(session)
  mustBeFree(session)
  mustBeNew(session, drafts)
  const head = entryId(session.history, session.head)
  const { parent = head } = options
  const move = parent === head ? undefined : moveRecord(session, { kind: "goto", from: session.head }, parent)
  return appendAfter(session, parent, drafts, { ...options, move })
}

/** Appends after an entry, wherever the head is. `move`: the record that goes there. */
export async function appendAfter(
  session: OpenSession,
  parent: EntryId | null,
  drafts: readonly EntryDraft[],
  { durable, move }: { durable?: boolean; move?: OperationRecord | undefined } = {},
): Promise<EntryId[]> {
  const lasts =
    durable === true || move !== undefined || drafts.some((each) => each.type === "message" && isPrompt(each))
  const head = rowOf(session, parent)
  const open = openCallsOf(session, head)
  const all = open.length > 0 && leavesOpen(drafts) ? [settlingDraft(open), ...drafts] : drafts
  const records = chain(session, head, all)
  const { generation } = session.log
  const { rows, others } = await write(session, move === undefined ? records : [move, ...records], {
    durability: lasts ? session.durability : "fast",
  })
  const anew = session.log.generation !== generation
  // What was written keeps its ids: what is appended again gets others.
  const again = () => drafts.map(withoutId)
  if (anew && parent !== null && session.history.rowOf(parent) === NONE) {
    mustStand(session)
    // It continues an entry that another program has just cut off: append it again, after what is left.
    const [first] = rows
    const left = first === undefined || first === 0 ? NONE : session.history.headAfter(first - 1)
    return appendAfter(session, entryId(session.history, left), again(), { durable: lasts })
  }
  if (isTornApart(rows)) return appendAfter(session, parent, again(), { durable: lasts })
  session.head = rows.at(-1) ?? session.head
  const entries = records.map((record) => record.id as EntryId)
  session.openCalls = { at: entries.at(-1) ?? null, calls: openAfter(open, all) }
  if (move !== undefined) tellMoved(session, move)
  session.events.emit({ type: "appended", entries })
  tellOthers(session, others)
  return all === drafts ? entries : entries.slice(1)
}

function rowOf({ history }: OpenSession, entry: EntryId | null): Row {
  if (entry === null) return NONE
  const row = history.rowOf(entry)
  if (row !== NONE && isEntryKind(history.kind(row))) return row
  throw new RetconError({ code: "not-found", what: "entry", name: entry })
}

/** Only an operation moves the head to a note or a compaction: appended alone, it would be half a move. */
function mustBeSaid({ type }: { type: string }): void {
  if (type !== "note" && type !== "compaction") return
  const advice = "Use goto with a summary, backtrack, or compact."
  throw new RetconError({
    code: "invalid",
    problem: `A ${type} cannot be appended alone: only a move creates one.`,
    advice,
  })
}

/** An id that a caller made is nobody else's in this session. */
function mustBeNew({ history }: OpenSession, drafts: readonly EntryDraft[]): void {
  const given = drafts.flatMap(({ id }) => (id === undefined ? [] : [id]))
  for (const [i, id] of given.entries()) {
    const is = parseEntryId(id) === undefined ? "is not a UUID in lower case" : "is already the id of a record"
    if (is.startsWith("is already") && history.rowOf(id) === NONE && given.indexOf(id) === i) continue
    const advice = "Leave out the id: the session makes one."
    throw new RetconError({ code: "invalid", problem: `${id} ${is}.`, advice })
  }
}

/** A turn's messages belong together: its remaining ones would make no sense elsewhere. */
function mustStand(session: OpenSession): void {
  if (session.running && session.lost)
    throw new RetconError({ code: "overwritten", path: session.log.file ?? session.log.id })
}

/** The head of a session that follows others is in the middle of a turn that another process runs: it is not ours to go on. */
function mustBeFree(session: OpenSession): void {
  const failure = session.follows() ? busy(session) : undefined
  if (failure !== undefined) throw new RetconError(failure)
}

function withoutId(draft: EntryDraft): EntryDraft {
  const { id: _, ...rest } = draft
  return rest
}

/** Whether the calls stay open unless we settle them, because a message follows that is not their result. */
function leavesOpen(drafts: readonly EntryDraft[]): boolean {
  const message = drafts.find((draft) => draft.type === "message")
  return message !== undefined && message.role !== "tool"
}

function chain(session: OpenSession, head: Row, drafts: readonly EntryDraft[]): WritableRecord[] {
  let parent = head === NONE ? null : (session.history.id(head) as EntryId)
  const at = session.now()
  return drafts.map((draft) => {
    const record = recordOf(draft.id ?? session.ids.entry(), parent, at, draft)
    parent = record.id as EntryId
    return record
  })
}

/** What the session adds takes precedence over the same field of a draft. */
function recordOf(id: EntryId, parent: EntryId | null, at: string, draft: EntryDraft): WritableRecord {
  return { ...draft, id, parent, at }
}
