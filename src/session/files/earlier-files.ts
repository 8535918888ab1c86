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
import { targetOf } from "./restore-moment.ts"

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
  if (session.earlier === undefined || session.history.last(KIND.snapshot) !== NONE) return undefined
  if (files.unavailable !== undefined) return { ok: false, failure: { code: "no-workspace", ...files.unavailable } }
  const before = await snapshotOf(session, files, entry)
  if (before === undefined)
    return { ok: false, failure: { code: "no-workspace", reason: "there is no snapshot of that point" } }
  const { id: after } = await files.snapshot()
  const isAsked = among(request.paths)
  const paths = (await files.diff(before, after)).map(({ path }) => path).filter(isAsked)
  const way = { steps: paths.length === 0 ? [] : [{ before, after, paths }], named: same }
  const said = isSaid(session.history, entry)
  const range = { from: session.head, to: said ? session.history.parent(entry) : entry, paths: request.paths }
  const target = targetOf(session, said ? { before: entry } : { entry })
  return planSteps(session, files, way, { ...range, target, unknown: 0 }, request)
}

const same = async <Value>(plan: Value): Promise<Value> => plan
