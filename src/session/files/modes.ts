// Conversation only, files only, both: which of these a move could be, and why not the others.
import type { MovePlan } from "../../history/plan.ts"
import { NONE } from "../../history/tree.ts"
import { KIND } from "../../model/kind.ts"
import type { Desk } from "../desk.ts"
import { filesOfUndone, momentOf } from "./restore.ts"
import { differing } from "./steps.ts"

/** Null where it is possible; else the reason, as the end of "it is not possible: ". */
export interface Modes {
  conversation: string | null
  files: string | null
  both: string | null
}

export function modesOf(desk: Desk, plan: MovePlan): Modes {
  const conversation = plan.from === plan.to ? "the conversation stands there already" : null
  const files = whyNoFiles(desk) ?? whyNothing(desk, plan)
  return { conversation, files, both: files ?? conversation }
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
