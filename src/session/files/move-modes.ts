// Which modes a move can have (conversation only, files only, both), and why not the others.
import { type SpansToRestore, spansToRestore } from "../../history/files/applied-changes.ts"
import { changedFiles } from "../../history/files/files-operations.ts"
import type { MovePlan } from "../../history/plan/plan.ts"
import { NONE } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Modes } from "../../model/move/moved.ts"
import { KIND } from "../../model/record/record.ts"
import { parseSnapshotId, type Workspace } from "../../workspace/port.ts"
import type { OpenSession } from "../state/open-session.ts"
import { beforeSnapshots } from "./known/before-snapshots.ts"
import { fileGaps } from "./known/file-gaps.ts"
import { nextCovered, noSnapshots } from "./known/no-snapshots.ts"
import { filesUndone, momentOf } from "./known/undo-files.ts"
import { usesEarlier } from "./plan/earlier-files.ts"
import { differing } from "./plan/restore-way.ts"

export async function modesOf(session: OpenSession, plan: MovePlan): Promise<Modes> {
  const conversation = plan.from === plan.to ? "the conversation is already there" : null
  // Another agent's copies are examined only when they are used.
  const never = whyNoFiles(session)
  const files = never ?? (usesEarlier(session) ? null : await whyNotThere(session, plan))
  const next = never === null ? undefined : nextOf(session)
  return { conversation, files, both: files ?? conversation, ...(next !== undefined && { next }) }
}

async function whyNotThere(session: OpenSession, plan: MovePlan): Promise<string | null> {
  const moment = momentOf(session, plan)
  const spans = spansToRestore(session.history, moment)
  const why = await whyNoRestore(session, plan, spans)
  return why !== null || beforeSnapshots(session, moment) !== undefined ? why : whyNothing(session, plan, spans)
}

/** Why the files that differ cannot be restored. Contract: looks up each snapshot that a restore would need. */
export async function whyNoRestore(
  session: OpenSession,
  plan: MovePlan,
  spans: SpansToRestore,
): Promise<string | null> {
  const why = whyNoFiles(session)
  if (why !== null || session.files === undefined) return why
  for (const snapshot of needed(session, plan, spans)) {
    if (!(await isThere(session.files, snapshot))) return GONE
  }
  return null
}

const GONE = "a snapshot that this needs is gone"

function needed(session: OpenSession, plan: MovePlan, { takeBack, bringAgain }: SpansToRestore): Set<string> {
  const undone = filesUndone(session, plan)
  if (undone !== undefined)
    return new Set(changedFiles(undone) ? [undone.record.files.from, undone.record.files.to] : [])
  return new Set([...takeBack, ...bringAgain].flatMap(({ before, after }) => [before, after]))
}

async function isThere(files: Workspace, snapshot: string): Promise<boolean> {
  const id = parseSnapshotId(snapshot)
  if (id === undefined) return false
  try {
    await files.check(id)
    return true
  } catch (error) {
    if (error instanceof RetconError && error.code === "snapshot-gone") return false
    throw error
  }
}

/** Why no files can be restored at all. */
export function whyNoFiles(session: OpenSession): string | null {
  if (session.files === undefined) return noSnapshots(session.log).reason
  if (session.files.unavailable !== undefined) return session.files.unavailable.reason
  if (session.history.last(KIND.snapshot) !== NONE || usesEarlier(session)) return null
  return "this session has no snapshots of files"
}

/** If a round is not covered, a restore is possible: it says what stays. */
function whyNothing(session: OpenSession, plan: MovePlan, spans: SpansToRestore): string | null {
  const undone = filesUndone(session, plan)
  const differs = undone === undefined ? differing(spans).length > 0 : changedFiles(undone)
  const isOpen =
    undone === undefined && fileGaps(session, { ...plan, moment: momentOf(session, plan) }, []) !== undefined
  return differs || isOpen ? null : "no file differs from that point"
}

function nextOf({ log, files }: OpenSession): Modes["next"] {
  return log.agent === undefined || files?.unavailable !== undefined ? undefined : nextCovered(log)
}
