// Snapshots around a tool call. What differs between them is credited to the call.
import { NONE } from "../../../history/tree/tree.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { EntryId } from "../../../model/id.ts"
import type { SnapshotChange, SnapshotRecord } from "../../../model/record/record.ts"
import type { Snapshot, SnapshotId, Workspace } from "../../../workspace/port.ts"
import { notice, type OpenSession, tellOthers, write } from "../../state/open-session.ts"

export interface CoveredCall {
  /** The message with the tool call; null for the person's own command, which may run at the same time as calls. */
  entry: EntryId | null
  call: string
  /** The paths it names; absent for a command, which may change anything. */
  paths?: string[]
}

export interface OpenSpan extends CoveredCall {
  readonly before: SnapshotId
  readonly since: string
}

/** Contract: awaited before the tool runs. */
export async function openSpan(session: OpenSession, files: Workspace, wanted: CoveredCall): Promise<OpenSpan> {
  const snapshot = await files.snapshot(pathsOf(wanted))
  const at = session.now()
  await record(session, snapshot, { entry: wanted.entry, when: "before", call: wanted.call, ...pathsOf(wanted) })
  return { ...wanted, before: snapshot.id, since: at }
}

/** Contract: awaited after the tool ended, even if it failed or was stopped. Returns what it changed. */
export async function closeSpan(session: OpenSession, files: Workspace, span: OpenSpan): Promise<SnapshotChange[]> {
  const within = pathsOf(span)
  const snapshot = await files.snapshot(within)
  const changes = await changesBetween(files, span.before, snapshot.id, span.paths)
  const since = { snapshot: span.before, at: span.since }
  await record(session, snapshot, { entry: span.entry, when: "after", call: span.call, since, changes, ...within })
  return changes
}

/** What changed between two snapshots. For a command that may change anything, that includes what others did meanwhile. */
export async function changesBetween(
  files: Workspace,
  before: SnapshotId,
  after: SnapshotId,
  paths: string[] | undefined,
): Promise<SnapshotChange[]> {
  const changes = await files.diff(before, after, paths === undefined ? {} : { paths })
  return changes.map(({ path, change }) =>
    paths === undefined ? { path, change, during: "command" } : { path, change },
  )
}

/** The fields of a snapshot that a record stores. */
export function stateIn({ id, repositories }: Snapshot): Pick<SnapshotRecord, "snapshot" | "repositories"> {
  const stands = repositories.map(({ path, branch, commit }) => ({
    path,
    ...(branch === undefined ? {} : { branch }),
    ...(commit === undefined ? {} : { commit }),
  }))
  return { snapshot: id, ...(stands.length === 0 ? {} : { repositories: stands }) }
}

function pathsOf({ paths }: CoveredCall): { paths?: string[] } {
  return paths === undefined ? {} : { paths }
}

/** The state of the files when a round begins or ends. */
export async function markRound(
  session: OpenSession,
  files: Workspace,
  entry: EntryId,
  when: "before" | "after",
): Promise<Snapshot> {
  const snapshot = await files.snapshot()
  await record(session, snapshot, { entry, when })
  return snapshot
}

type Facts = Pick<SnapshotRecord, "entry" | "when" | "call" | "since" | "changes" | "paths">

/** Contract: throws `overwritten` if another program has cut off the entry that the snapshot belongs to. */
async function record(session: OpenSession, snapshot: Snapshot, facts: Facts): Promise<void> {
  notice(session)
  if (facts.entry !== null && session.history.rowOf(facts.entry) === NONE)
    throw new RetconError({ code: "overwritten", path: session.log.file ?? session.log.id })
  const line: SnapshotRecord = {
    id: session.ids.record(),
    type: "snapshot",
    at: session.now(),
    ...stateIn(snapshot),
    ...facts,
  }
  const { others } = await write(session, [line], { durability: "fast" })
  tellOthers(session, others)
}
