// A move of files alone: the head stays where it is, or goes to an entry that tells the model about it.
import { NONE } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { Moved, MoveResult } from "../../model/move/moved.ts"
import type { Author, FrontEnd, MessageRecord, OperationKind } from "../../model/record/record.ts"
import type { Workspace } from "../../workspace/port.ts"
import { movedElsewhere } from "../state/moved-elsewhere.ts"
import { busy, noticeAll, type OpenSession, recordMove } from "../state/open-session.ts"
import { stopTurn } from "../state/turn.ts"
import { describeMove } from "./describe-move.ts"
import type { FilesRequest } from "./known/files-request.ts"
import { noSnapshots } from "./known/no-snapshots.ts"
import { describeFiles, moveFiles, refusal, withSaved } from "./move-files.ts"
import type { PlannedRestore } from "./plan/plan-steps.ts"

export interface RestoreOptions extends FilesRequest {
  dryRun?: boolean
  /** `agent`: the session's own agent asks for it. */
  by?: Author
  /** The process of that agent: if it asks for it during its own turn, that turn is no obstacle. */
  caller?: number
  /** The head that the person sees: refused with `moved-elsewhere` if it is another one. */
  expects?: EntryId | null
  /** Through what it was asked for, if not as the session's options say. */
  via?: FrontEnd
}

/** `paths`: the only ones that it concerns. `tells`: the entry for the model, once it is known what changes. */
export type OnlyFiles =
  | (Extract<PlannedRestore, { ok: true }> & { paths?: string[]; tells?: (moved: Moved) => MessageRecord })
  | Extract<PlannedRestore, { ok: false }>

/** `plan`: made when nothing else moves. Contract: files and record together, or neither; a dry run is the same plan. */
export async function moveOnlyFiles(
  session: OpenSession,
  kind: OperationKind,
  options: RestoreOptions,
  plan: (files: Workspace) => Promise<OnlyFiles>,
): Promise<MoveResult> {
  noticeAll(session)
  const elsewhere = movedElsewhere(session, options.expects)
  if (elsewhere !== undefined) {
    const { expects: _, ...again } = options
    const planned = await moveOnlyFiles(session, kind, { ...again, dryRun: true }, plan)
    return { outcome: "refused", failure: elsewhere, ...(planned.outcome !== "refused" && { plan: planned }) }
  }
  const failure = isAskedWithin(session, options) ? undefined : busy(session)
  if (failure !== undefined && options.dryRun !== true) return { outcome: "refused", failure }
  const { files } = session
  if (files === undefined) {
    return { outcome: "refused", failure: { code: "no-workspace", ...noSnapshots(session.log) } }
  }
  if (options.dryRun !== true) await stopTurn(session)
  const planned = await plan(files)
  if (!planned.ok) return refusal(planned.failure, planned.plan)
  const move = { kind, from: session.head, to: session.head }
  const described = {
    ...describeMove(session.history, { ...move, left: 0, messages: 0, regained: 0, prompt: NONE }, "moved"),
    ...describeFiles(planned),
  }
  if (options.dryRun === true) {
    return { ...described, outcome: "planned", ...(failure && { busy: { pid: failure.pid } }) }
  }
  if (planned.plan.actions.length === 0) return { ...described, outcome: "unchanged" }
  const { paths } = planned
  const entry = planned.tells?.(described)
  const head = entry?.id ?? described.head
  const restored = await moveFiles(session, planned, (moved) =>
    recordMove(session, move, head, options.by ?? "person", entry === undefined ? [] : [entry], {
      files: { ...moved, ...(paths === undefined ? {} : { paths }) },
      via: options.via,
    }),
  )
  if (!restored.ok) return restored.refused
  return withSaved({ ...described, head, operation: restored.operation }, restored.saved)
}

/**
 * Whether an agent asks in the middle of the turn that runs: nothing is appended meanwhile. What another agent asks for in its own
 * session is not recorded in its file.
 */
function isAskedWithin({ log }: OpenSession, { by, caller }: RestoreOptions): boolean {
  return by === "agent" && (log.agent !== undefined || (caller !== undefined && log.lease.holder()?.pid === caller))
}
