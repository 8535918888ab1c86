// Files as another agent kept them, for a session of which there are no snapshots of ours.
import { among } from "../../history/files/applied-changes.ts"
import { snapshotAt } from "../../history/files/snapshot-at.ts"
import { isOnPath, prompts } from "../../history/tree/path.ts"
import { isSaid } from "../../history/tree/person-words.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { KIND } from "../../model/record/kind.ts"
import { parseSnapshotId, type SnapshotId, type Workspace } from "../../workspace/port.ts"
import type { OpenSession } from "../state/open-session.ts"
import type { FilesRequest } from "./files-request.ts"
import { type PlannedRestore, planSteps } from "./plan-steps.ts"
import { type RestoreTarget, targetOf } from "./restore-moment.ts"
import type { MoveRange } from "./unended.ts"

/** There are no snapshots of ours, and the session's own agent kept copies of files. */
export function usesEarlier({ history, earlier }: Pick<OpenSession, "history" | "earlier">): boolean {
  return earlier !== undefined && history.last(KIND.snapshot) === NONE
}

/** The snapshot of the files at an entry: ours, or one made of what the agent kept. Undefined when there is none. */
export async function snapshotOf(session: OpenSession, files: Workspace, entry: Row): Promise<SnapshotId | undefined> {
  const own = parseSnapshotId(snapshotAt(session.history, entry))
  if (own !== undefined || session.earlier === undefined) return own
  const prompt = promptFrom(session, entry)
  return prompt === NONE ? undefined : files.put(await session.earlier.before(prompt))
}

/** What was kept is what files held before a prompt: after another entry, that is before the next one. */
function promptFrom({ history, head }: OpenSession, entry: Row): Row {
  if (isSaid(history, entry)) return entry
  return isOnPath(history, entry, head) ? (prompts(history, head).find((row) => row > entry) ?? NONE) : NONE
}

/** What is planned from what the agent kept, and where that leads. */
type EarlierRange = MoveRange & { target: RestoreTarget }

/**
 * A restore from what the agent kept: the files get those bytes, whoever changed them since. Undefined when there are snapshots of
 * ours, which can tell who did.
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

/** The same for a move of the head: to before the first prompt that it leaves. Of what is ahead the agent kept nothing. */
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
  const before = await files.put(await session.earlier.before(prompt))
  const { id: after } = await files.snapshot()
  const paths = (await files.diff(before, after)).map(({ path }) => path).filter(among(request.paths))
  const way = { steps: paths.length === 0 ? [] : [{ before, after, paths }], named: same }
  return planSteps(session, files, way, { ...range, paths: request.paths, unknown: 0 }, request)
}

const same = async <Value>(plan: Value): Promise<Value> => plan
