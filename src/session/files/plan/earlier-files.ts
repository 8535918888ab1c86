// Restores from the copies of files that another agent made, in a session without snapshots of ours.
import { among } from "../../../history/files/applied-changes.ts"
import { snapshotAt } from "../../../history/files/snapshot-at.ts"
import { isOnPath, prompts } from "../../../history/tree/path.ts"
import { isSaid } from "../../../history/tree/person-words.ts"
import { NONE, type Row } from "../../../history/tree/tree.ts"
import { KIND } from "../../../model/record/kind.ts"
import { parseSnapshotId, type SnapshotId, type Workspace } from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"
import { copiesBefore } from "../known/copies-before.ts"
import type { FilesRequest } from "../known/files-request.ts"
import { type RestoreTarget, targetOf } from "../known/restore-moment.ts"
import type { MoveRange } from "../known/unended-calls.ts"
import { type PlannedRestore, planSteps, withGaps } from "./plan-steps.ts"

/** Whether there are no snapshots of ours, but copies by the session's own agent. */
export function usesEarlier({ history, earlier }: Pick<OpenSession, "history" | "earlier">): boolean {
  return earlier !== undefined && history.last(KIND.snapshot) === NONE
}

/** The snapshot of the files at an entry: ours, or one made from the agent's copies. Undefined if there is neither. */
export async function snapshotOf(session: OpenSession, files: Workspace, entry: Row): Promise<SnapshotId | undefined> {
  const own = parseSnapshotId(snapshotAt(session.history, entry))
  if (own !== undefined || session.earlier === undefined) return own
  const prompt = promptFrom(session, entry)
  return prompt === NONE ? undefined : files.put(await copiesBefore(session.earlier, files, prompt))
}

/** Copies are from before a prompt. For any other entry, that means before the next prompt. */
function promptFrom({ history, head }: OpenSession, entry: Row): Row {
  if (isSaid(history, entry)) return entry
  return isOnPath(history, entry, head) ? (prompts(history, head).find((row) => row > entry) ?? NONE) : NONE
}

/** A plan from the agent's copies, and its target. */
type EarlierRange = MoveRange & { target: RestoreTarget }

/**
 * A restore from the agent's copies: the files get those bytes, no matter who changed them since. Undefined if we have
 * snapshots, which show who changed what.
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
  const target = targetOf(session, said ? { before: entry } : { entry })
  return planBytes(session, files, promptFrom(session, entry), { from: session.head, to, target }, request)
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
  const target = prompt === NONE ? {} : targetOf(session, { before: prompt })
  return planBytes(session, files, prompt, { from, to, target }, request)
}

async function planBytes(
  session: OpenSession,
  files: Workspace,
  prompt: Row,
  range: EarlierRange,
  request: FilesRequest,
): Promise<PlannedRestore> {
  if (files.unavailable !== undefined) return { ok: false, failure: { code: "no-workspace", ...files.unavailable } }
  if (prompt === NONE || session.earlier === undefined)
    return { ok: false, failure: { code: "no-workspace", reason: "there is no snapshot of that point" } }
  const copies = await copiesBefore(session.earlier, files, prompt)
  const before = await files.put(copies)
  const { id: after } = await files.snapshot()
  const paths = (await files.diff(before, after)).map(({ path }) => path).filter(among(request.paths))
  const way = { steps: paths.length === 0 ? [] : [{ before, after, paths }], named: same }
  const planned = await planSteps(session, files, way, { ...range, paths: request.paths }, request)
  if (!planned.ok) return planned
  const known = copies.map(({ path }) => path)
  return withGaps(
    session,
    planned,
    { ...range, moment: { before: prompt }, paths: request.paths },
    { known, steps: paths },
  )
}

const same = async <Value>(plan: Value): Promise<Value> => plan
