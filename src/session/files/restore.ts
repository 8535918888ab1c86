// Files that come along with a move, or move alone: one plan, shown by the dry run and carried out by the restore.
import type { MovePlan } from "../../history/plan.ts"
import type { Row } from "../../history/tree.ts"
import { windows } from "../../history/windows.ts"
import type { Failure } from "../../model/failure.ts"
import type { FilesMove, OperationRecord } from "../../model/record.ts"
import type { OnConflict, RestorePlan, Step, Workspace } from "../../workspace/port.ts"
import type { Desk } from "../desk.ts"
import { type CommitsMade, commitsLeft } from "./commits.ts"
import { otherWindows } from "./others.ts"
import { stepBack, stepsTo } from "./steps.ts"

export type FilesMode = "keep" | "restore"

export interface FilesRequest {
  onConflict?: OnConflict
  /** Only these paths. */
  paths?: string[]
}

export type FilesPlan =
  | { ok: true; plan: RestorePlan; commits: CommitsMade[] }
  | { ok: false; failure: Failure; plan?: RestorePlan }

/** What happens to the files when the head goes where `move` says. */
export async function planMoveFiles(
  desk: Desk,
  files: Workspace,
  move: MovePlan,
  request: FilesRequest,
): Promise<FilesPlan> {
  const recorded = filesOfUndone(desk, move)
  const steps = recorded === undefined ? await stepsFor(desk, move.to) : stepBack(recorded)
  return planSteps(files, steps, commitsLeft(desk.history, move.from, move.to), request)
}

/** What brings the files, or some of them, to the state of an entry. The head stays. */
export async function planRestoreTo(
  desk: Desk,
  files: Workspace,
  entry: Row,
  request: FilesRequest,
): Promise<FilesPlan> {
  return planSteps(files, await stepsFor(desk, entry), commitsLeft(desk.history, desk.head, entry), request)
}

async function planSteps(
  files: Workspace,
  steps: Step[],
  commits: CommitsMade[],
  request: FilesRequest,
): Promise<FilesPlan> {
  if (files.unavailable !== undefined) {
    return { ok: false, failure: { code: "no-workspace", reason: files.unavailable } }
  }
  const plan = await files.planRestore({ steps, ...request })
  if (plan.conflicts.length === 0) return { ok: true, plan, commits }
  const paths = plan.conflicts.map((conflict) => conflict.path)
  return { ok: false, failure: { code: "conflicts", paths }, plan }
}

async function stepsFor(desk: Desk, to: Row): Promise<Step[]> {
  const first = windows(desk.history)[0]
  if (first === undefined) return []
  const { id, cwd } = desk.log.header
  return stepsTo(desk, to, await otherWindows(desk.store, { id, cwd }, first.from))
}

/** The files that the undone or redone operation moved; undefined when it moved none, or is none. */
export function filesOfUndone(desk: Desk, move: MovePlan): FilesMove | undefined {
  return operationUndone(desk, move)?.files
}

/** The operation that an undo or redo takes back; undefined when it takes back a round. */
export function operationUndone(desk: Desk, move: MovePlan): OperationRecord | undefined {
  if (move.undoes === undefined) return undefined
  const record = desk.history.record(desk.history.rowOf(move.undoes))
  return record?.type === "operation" ? record : undefined
}
