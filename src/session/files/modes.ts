// Conversation only, files only, both: which of these a move could be, and why not the others.
import { filesPlan } from "../../history/files/applied-changes.ts"
import type { MovePlan } from "../../history/plan/plan.ts"
import { NONE } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { KIND } from "../../model/record/kind.ts"
import { parseSnapshotId, type Workspace } from "../../workspace/port.ts"
import type { Desk } from "../state/open-session.ts"
import { filesOfUndone, momentOf } from "./restore.ts"
import { differing } from "./steps.ts"

/** Null where it is possible; else the reason, as the end of "it is not possible: ". */
export interface Modes {
  conversation: string | null
  files: string | null
  both: string | null
}

export async function modesOf(desk: Desk, plan: MovePlan): Promise<Modes> {
  const conversation = plan.from === plan.to ? "the conversation stands there already" : null
  const files = (await whyNoRestore(desk, plan)) ?? whyNothing(desk, plan)
  return { conversation, files, both: files ?? conversation }
}

/** Why the files that differ cannot come along. Contract: costs looking for each snapshot that a restore would need. */
export async function whyNoRestore(desk: Desk, plan: MovePlan): Promise<string | null> {
  const why = whyNoFiles(desk)
  if (why !== null || desk.files === undefined) return why
  for (const snapshot of needed(desk, plan)) {
    if (!(await isThere(desk.files, snapshot))) return GONE
  }
  return null
}

const GONE = "a snapshot that this needs is gone, as after retcon gc --drop-oldest"

function needed(desk: Desk, plan: MovePlan): Set<string> {
  const undone = filesOfUndone(desk, plan)
  if (undone !== undefined) return new Set([undone.from, undone.to])
  const { takeBack, bringAgain } = filesPlan(desk.history, momentOf(desk, plan))
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
export function whyNoFiles(desk: Desk): string | null {
  if (desk.files === undefined) return "no snapshots are taken here"
  if (desk.files.unavailable !== undefined) return desk.files.unavailable
  return desk.history.last(KIND.snapshot) === NONE ? "this session has no snapshots of files" : null
}

function whyNothing(desk: Desk, plan: MovePlan): string | null {
  if (filesOfUndone(desk, plan) !== undefined) return null
  return differing(desk, momentOf(desk, plan)).length === 0 ? "no file differs from that point" : null
}
