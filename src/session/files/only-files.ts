// A move of files alone: the head stays where it is, or goes to an entry that tells the model about it.
import { NONE } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { Moved, MoveResult } from "../../model/move/moved.ts"
import type { Author, FrontEnd, MergeRecord, MessageRecord, OperationKind } from "../../model/record/record.ts"
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

export type OnlyFiles =
  | {
      ok: true
      /** What moves; undefined: no file does. */
      restore: Extract<PlannedRestore, { ok: true }> | undefined
      /** The only paths that it concerns. */
      paths?: string[]
      /** The entry for the model, once it is known what changes; undefined if there is nothing to tell. */
      tells?: (moved: Moved) => MessageRecord | MergeRecord | undefined
      /** Paths that were to change, whether or not they do. */
      wanted?: string[]
      /** What the answer says beside the files. */
      more?: Partial<Moved>
    }
  | Extract<PlannedRestore, { ok: false }>

/** `files`: a workspace that is there. Otherwise it is refused. */
export function withWorkspace(
  { files, log }: OpenSession,
  plan: (files: Workspace) => Promise<OnlyFiles>,
): Promise<OnlyFiles> {
  if (files !== undefined) return plan(files)
  return Promise.resolve({ ok: false, failure: { code: "no-workspace", ...noSnapshots(log) } })
}

/** `plan`: made when nothing else moves. Contract: files and record together, or neither; a dry run is the same plan. */
export async function moveOnlyFiles(
  session: OpenSession,
  kind: OperationKind,
  options: RestoreOptions,
  plan: () => Promise<OnlyFiles>,
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
  if (options.dryRun !== true) await stopTurn(session)
  const planned = await plan()
  if (!planned.ok) return refusal(planned.failure, planned.plan)
  const { restore, paths, more } = planned
  const move = { kind, from: session.head, to: session.head }
  const described = {
    ...describeMove(session.history, { ...move, left: 0, messages: 0, regained: 0, prompt: NONE }, "moved"),
    ...(restore !== undefined && describeFiles(restore)),
    ...more,
  }
  if (options.dryRun === true) {
    return { ...described, outcome: "planned", ...(failure && { busy: { pid: failure.pid } }) }
  }
  const entry = planned.tells?.(described)
  const [entries, head] = entry === undefined ? [[], described.head] : [[entry], entry.id]
  const by = options.by ?? "person"
  if (restore === undefined || restore.plan.actions.length === 0) {
    if (entry === undefined) return { ...described, outcome: "unchanged" }
    const operation = await recordMove(session, move, head, by, entries, { via: options.via })
    return { ...described, head, operation }
  }
  const restored = await moveFiles(session, restore, (moved) =>
    recordMove(session, move, head, by, entries, {
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
