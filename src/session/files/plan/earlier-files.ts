// Restores from what another agent's own files tell: copies, and what its calls changed. For sessions without snapshots of ours.
import { among, type Moment } from "../../../history/files/applied-changes.ts"
import { snapshotAt } from "../../../history/files/snapshot-at.ts"
import { isSaid } from "../../../history/tree/person-words.ts"
import { isOnPath, NONE, prompts, type Row } from "../../../history/tree/tree.ts"
import { KIND } from "../../../model/record/record.ts"
import { parseSnapshotId, type SnapshotId, type Workspace } from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"
import type { BeforeStep } from "../known/before-snapshots.ts"
import { copiesBefore } from "../known/copies-before.ts"
import { fileGaps } from "../known/file-gaps.ts"
import type { FilesRequest } from "../known/files-request.ts"
import { targetOf } from "../known/restore-moment.ts"
import type { MoveRange } from "../known/unended-calls.ts"
import { type PlannedRestore, planSteps, withGaps } from "./plan-steps.ts"
import { wayTo } from "./restore-way.ts"

/** Whether there are no snapshots of ours, but copies by the session's own agent. */
export function usesEarlier({ history, earlier }: Pick<OpenSession, "history" | "earlier">): boolean {
  return earlier !== undefined && history.last(KIND.snapshot) === NONE
}

/** The snapshot of the files at an entry: ours, or one made from the agent's copies. Undefined if there is neither. */
export async function snapshotOf(session: OpenSession, files: Workspace, entry: Row): Promise<SnapshotId | undefined> {
  const own = parseSnapshotId(snapshotAt(session.history, entry))
  if (own !== undefined || session.earlier?.words === undefined) return own
  const prompt = promptFrom(session, entry)
  return prompt === NONE ? undefined : files.put(await copiesBefore(session.earlier, files, prompt))
}

/** Copies are from before a prompt. For any other entry, that means before the next prompt. */
function promptFrom({ history, head }: OpenSession, entry: Row): Row {
  if (isSaid(history, entry)) return entry
  return isOnPath(history, entry, head) ? (prompts(history, head).find((row) => row > entry) ?? NONE) : NONE
}

/** Where the files go, and the first prompt whose copies show them; NONE: no copy does. */
type EarlierRange = MoveRange & { moment: Moment; prompt: Row }

/**
 * A restore from what the agent's own files tell of its calls, and from its copies: where those are used, files get their bytes, no
 * matter who changed them since. Undefined if we have snapshots, which show who changed what.
 */
export async function planEarlier(
  session: OpenSession,
  files: Workspace,
  entry: Row,
  request: FilesRequest,
): Promise<PlannedRestore | undefined> {
  if (!usesEarlier(session)) return undefined
  const said = isSaid(session.history, entry)
  const to = said ? session.history.parent(entry) : entry
  const moment = said ? { before: entry } : { entry }
  return planKnown(session, files, { from: session.head, to, moment, prompt: promptFrom(session, entry) }, request)
}

/** The same for a move of the head: to before the first prompt that it leaves. The agent has no copies for moves forward. */
export function planEarlierMove(
  session: OpenSession,
  files: Workspace,
  { from, to }: MoveRange,
  request: FilesRequest,
): Promise<PlannedRestore> {
  const { history } = session
  const leaves = to === NONE || isOnPath(history, to, from)
  const prompt = (leaves ? prompts(history, from).find((row) => to === NONE || row > to) : undefined) ?? NONE
  const moment = prompt === NONE ? { entry: to } : { before: prompt }
  return planKnown(session, files, { from, to, moment, prompt }, request)
}

async function planKnown(
  session: OpenSession,
  files: Workspace,
  { moment, prompt, ...range }: EarlierRange,
  request: FilesRequest,
): Promise<PlannedRestore> {
  if (files.unavailable !== undefined) return { ok: false, failure: { code: "no-workspace", ...files.unavailable } }
  const { steps, named, said, calls } = await wayTo(session, moment, request.paths)
  if (steps.length === 0 && prompt === NONE)
    return { ok: false, failure: { code: "no-workspace", reason: "there is no snapshot of that point" } }
  const told = said?.known ?? []
  const isWanted = (path: string) => !told.includes(path) && among(request.paths)(path)
  const { step, known } = await copiedSince(session, files, prompt, isWanted)
  const gaps = fileGaps(session, { ...range, moment, paths: request.paths }, [...known, ...told], calls)
  const planned = await planSteps(
    session,
    files,
    { steps: step === undefined ? steps : [...steps, step], named },
    { ...range, paths: request.paths, target: targetOf(session, moment), gaps },
    request,
  )
  return planned.ok ? withGaps(session, planned, gaps, step?.paths) : planned
}

/** The step from the files now to the agent's copies, if any differs, and all files that they know. */
async function copiedSince(
  { earlier }: OpenSession,
  files: Workspace,
  prompt: Row,
  isWanted: (path: string) => boolean,
): Promise<BeforeStep> {
  if (earlier === undefined || prompt === NONE) return { known: [] }
  const copies = await copiesBefore(earlier, files, prompt)
  const known = copies.map(({ path }) => path)
  const before = await files.put(copies)
  const { id: after } = await files.snapshot()
  const paths = (await files.diff(before, after)).map(({ path }) => path).filter(isWanted)
  return paths.length === 0 ? { known } : { known, step: { before, after, paths } }
}
