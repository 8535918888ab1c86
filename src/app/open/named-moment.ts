// A moment that somebody names, and the snapshot of the files at that moment.
import { type Moment, momentRow } from "../../history/files/applied-changes.ts"
import { type CallSpan, callSpans } from "../../history/files/call-spans.ts"
import { snapshotOfMoment } from "../../history/files/snapshot-of-moment.ts"
import { isSaid } from "../../history/tree/person-words.ts"
import { chain, type History, NONE, type Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { KIND } from "../../model/record/record.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { Session } from "../../session/session.ts"
import { parseSnapshotId, type SnapshotId, type Workspace } from "../../workspace/port.ts"

export interface NamedMoment {
  /** A name by which it can be referred to again. */
  name: string
  moment: Moment
  snapshot: SnapshotId
  files: Workspace
  /** The snapshot was taken later, when something may already have changed. */
  late: boolean
  /** The agent's calls since then were watched, so we know who changed a file. */
  watched: boolean
}

/** Contract: throws a failure that says why there is none. Without a name: the last prompt. */
export async function namedMoment(session: Session, name: string | undefined): Promise<NamedMoment> {
  const { history, files } = session
  if (files.workspace === undefined || files.unavailable !== undefined)
    throw new RetconError({ code: "no-workspace", ...(files.unavailable ?? { reason: "no snapshots are taken here" }) })
  const round = history.round(session.headRow)
  if (name === undefined && round === 0) throw invalid("There is no prompt yet.", "Name a checkpoint.")
  const named = name ?? `@${round}`
  const row = history.rowOf(session.resolve(named))
  const moment: Moment = isSaid(history, row) ? { before: row } : { entry: row }
  const own = files.earlier === undefined ? parseSnapshotId(snapshotOfMoment(history, moment)) : undefined
  const snapshot = own ?? (await files.snapshotAt(row))
  if (snapshot === undefined) {
    throw invalid(
      `There is no snapshot of the files at ${sanitiseLine(named)}.`,
      `${checkpointsOf(session)} Make one with checkpoint before the next change.`,
    )
  }
  const first = momentRow(history, moment)
  const watched = isWatched(session) || callSpans(history, first === 0 ? NONE : first - 1).length > 0
  const late = own !== undefined && isLate(history, moment, own)
  return { name: named, moment, snapshot, files: files.workspace, late, watched }
}

/**
 * Whether every call is watched: our own agent's are, and another's where a hook has seen this round begin. If there was no call
 * since then, whatever changed is the work of others.
 */
function isWatched({ log, history, headRow }: Session): boolean {
  if (log.agent === undefined) return true
  for (const row of chain(history, KIND.snapshot)) {
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.hook === undefined) continue
    const entry = record.entry === null ? NONE : history.rowOf(record.entry)
    return entry !== NONE && history.prompt(entry) === history.prompt(headRow)
  }
  return false
}

/** The names of checkpoints, to choose another. */
export function checkpointsOf(session: Session): string {
  const names = [...session.labels().values()].slice(0, 10).map((name) => `"${sanitiseLine(name)}"`)
  return names.length === 0 ? "There are no checkpoints yet." : `Checkpoints: ${names.join(", ")}.`
}

/** Whether the snapshot was taken later: there is none up to that moment, or at the start of its round. */
function isLate(history: History, moment: Moment, snapshot: SnapshotId): boolean {
  const first = momentRow(history, moment)
  let next: Row = NONE
  for (const row of chain(history, KIND.snapshot)) {
    if (row < first) return false
    next = row
  }
  const record = next === NONE ? undefined : history.record(next)
  if (record?.type !== "snapshot" || record.snapshot !== snapshot) return false
  return !("before" in moment && record.when === "before")
}

function invalid(problem: string, advice: string): RetconError {
  return new RetconError({ code: "invalid", problem, advice })
}

/** Paths that differ from what the last call left. A snapshot that is gone shows nothing. */
export async function changedAfter(
  { files }: NamedMoment,
  last: ReadonlyMap<string, CallSpan>,
  now: SnapshotId,
): Promise<Set<string>> {
  const bySnapshot = new Map<SnapshotId, string[]>()
  for (const [path, { after }] of last) {
    const id = parseSnapshotId(after)
    if (id !== undefined) bySnapshot.set(id, [...(bySnapshot.get(id) ?? []), path])
  }
  const found = new Set<string>()
  for (const [after, paths] of bySnapshot) {
    try {
      for (const { path } of await files.diff(after, now, { paths })) found.add(path)
    } catch (error) {
      if (!(error instanceof RetconError && error.code === "snapshot-gone")) throw error
    }
  }
  return found
}
