// Takes in what attempts did: their lines become branches of this tree. Nothing moves: neither the head nor files, nor what undo
// would take back. From then on an attempt is a branch like any other, which can be gone to with its files.
import { dirname } from "node:path"
import { type History, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import {
  type FilesMove,
  isEntryKind,
  KIND,
  type LabelRecord,
  type OperationRecord,
  type TakenLine,
  type WritableRecord,
} from "../../model/record/record.ts"
import type { SessionLog } from "../../store/port.ts"
import { isTornApart, moveRecord, type OpenSession, tellOthers, write } from "../state/open-session.ts"

export interface EndedAttempt {
  /** A session that was split off this one. */
  log: SessionLog
  /** The name of its last entry here. */
  label?: string
}

/** Where each attempt ends in this tree; null if it has no entry of its own. */
export interface TakenIn {
  tips: (EntryId | null)[]
}

/**
 * Contract: runs inside the session's queue. One write. Lines that are here already are left out, so that it can be repeated: what
 * was interrupted is completed.
 */
export async function takeIn(session: OpenSession, attempts: readonly EndedAttempt[]): Promise<TakenIn> {
  return session.log.alone(async () => {
    session.log.refresh({ must: true })
    const now = await session.files?.snapshot().catch(() => undefined)
    const tips: (EntryId | null)[] = []
    const records: (WritableRecord | TakenLine)[] = []
    const operations: OperationRecord[] = []
    // One operation for each: at the end of an attempt, the files have nothing of the one before it.
    for (const { log, label } of attempts) {
      log.refresh()
      const lines = [...linesOf(session, log)]
      const first = lines.find(({ isEntry }) => isEntry)
      const tip = tipOf(log.history)
      tips.push(tip)
      records.push(...lines.map(({ record }) => record))
      if (first !== undefined) {
        const operation = takeRecord(session, first.record.id as EntryId, now?.id ?? firstSnapshot(log.history))
        operations.push(operation)
        records.push(operation)
      }
      if (label !== undefined && tip !== null && session.history.rowOf(tip) === NONE)
        records.push(labelRecord(session, tip, label))
    }
    if (records.length === 0) return { tips }
    let { rows, others } = await write(session, records, { durability: session.durability })
    if (isTornApart(rows)) {
      const again = operations.map((each) => ({ ...each, id: session.ids.record() }))
      ;({ rows, others } = await write(session, again, { durability: session.durability }))
    }
    session.events.emit({ type: "appended", entries: [] })
    tellOthers(session, others)
    return { tips }
  })
}

interface OwnLine {
  record: WritableRecord | TakenLine
  isEntry: boolean
}

/** What the attempt added to what it began with: its settings are its own. */
function* linesOf(session: OpenSession, log: SessionLog): Generator<OwnLine> {
  const { history } = log
  const isNear =
    log.file !== undefined && session.log.file !== undefined && dirname(log.file) === dirname(session.log.file)
  let began = false
  for (let row = 0; row < history.size; row++) {
    const kind = history.kind(row)
    if (NOT_TAKEN.has(kind) || session.history.rowOf(history.id(row)) !== NONE) continue
    began ||= isEntryKind(kind)
    // What comes before its first entry only went where it begins.
    if (!began) continue
    yield { record: isNear ? taken(log, row) : elsewhere(log, row), isEntry: isEntryKind(kind) }
  }
}

const NOT_TAKEN: ReadonlySet<number> = new Set([KIND.blank, KIND.damaged, KIND.session, KIND.config, KIND.label])

function taken(log: SessionLog, row: Row): TakenLine {
  return { id: log.history.id(row), line: log.line(row) }
}

/** From a log in another folder: large parts are read there, and stored here. */
function elsewhere(log: SessionLog, row: Row): WritableRecord | TakenLine {
  const record = log.history.record(row)
  return record?.type === "message" ? record : taken(log, row)
}

/** Its last entry on its path: where picking it leads. */
function tipOf(history: History): EntryId | null {
  return history.head === NONE ? null : (history.id(history.head) as EntryId)
}

function firstSnapshot(history: History): string | undefined {
  for (let row = 0; row < history.size; row++) {
    const record = history.kind(row) === KIND.snapshot ? history.record(row) : undefined
    if (record?.type === "snapshot") return record.snapshot
  }
  return undefined
}

/** Says that the files have none of it, also to readers that do not know of taking in. */
function takeRecord(session: OpenSession, first: EntryId, snapshot: string | undefined): OperationRecord {
  const head = session.head === NONE ? null : (session.history.id(session.head) as EntryId)
  const files: FilesMove | undefined =
    snapshot === undefined ? undefined : { from: snapshot, to: snapshot, restore: session.ids.record(), before: first }
  const operation = moveRecord(session, { kind: "take", from: session.head }, head)
  return { ...operation, takes: first, ...(files && { files }) }
}

function labelRecord(session: OpenSession, entry: EntryId, name: string): LabelRecord {
  return { id: session.ids.record(), type: "label", at: session.now(), entry, name }
}
