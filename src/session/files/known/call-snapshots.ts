// Snapshots around a tool call. What differs between them is credited to the call.
import { directoryOf } from "../../../history/tree/directory.ts"
import { NONE } from "../../../history/tree/tree.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { EntryId } from "../../../model/id.ts"
import type { SnapshotChange, SnapshotRecord } from "../../../model/record/record.ts"
import { commandIn } from "../../../model/record/tool-words.ts"
import type { Snapshot, SnapshotId, Workspace } from "../../../workspace/port.ts"
import { notice, type OpenSession, tellOthers, write } from "../../state/open-session.ts"
import { type CommandRun, changedAt, perhapsPersons } from "./perhaps-persons.ts"

export interface CoveredCall {
  /** The message with the tool call; null for the person's own command, which may run at the same time as calls. */
  entry: EntryId | null
  call: string
  /** The paths it names; absent for a command, which may change anything. */
  paths?: string[]
  /** A call of another agent's program, which may not have written it to its file yet: it is found by its id. */
  theirs?: { command: string | undefined }
}

export interface OpenSpan extends CoveredCall {
  readonly before: SnapshotId
  readonly since: string
}

/** Contract: awaited before the tool runs. */
export async function openSpan(session: OpenSession, files: Workspace, wanted: CoveredCall): Promise<OpenSpan> {
  const snapshot = await files.snapshot(pathsOf(wanted))
  const at = session.now()
  await record(session, snapshot, { ...placeOf(wanted), when: "before", ...pathsOf(wanted) })
  return { ...wanted, before: snapshot.id, since: at }
}

/** Contract: awaited after the tool ended, even if it failed or was stopped. Returns what it changed. */
export async function closeSpan(session: OpenSession, files: Workspace, span: OpenSpan): Promise<SnapshotChange[]> {
  const within = pathsOf(span)
  const until = Date.parse(session.now())
  const snapshot = await files.snapshot(within)
  const run = { from: Date.parse(span.since), until, command: commandOf(session, span) }
  const changes = await changesBetween(
    files,
    span.before,
    snapshot.id,
    span.paths ?? { root: directoryOf(session.log), run },
  )
  const since = { snapshot: span.before, at: span.since }
  await record(session, snapshot, { ...placeOf(span), when: "after", since, changes, ...within })
  return changes
}

/** What changed between two snapshots: these paths; or whatever did, where a command ran that may change anything. */
export async function changesBetween(
  files: Workspace,
  before: SnapshotId,
  after: SnapshotId,
  by: string[] | { root: string; run: CommandRun },
): Promise<SnapshotChange[]> {
  if (Array.isArray(by))
    return (await files.diff(before, after, { paths: by })).map(({ path, change }) => ({ path, change }))
  const changes = await files.diff(before, after)
  const times = changes.filter(({ kind }) => kind !== "folder").map(({ path }) => changedAt(by.root, path))
  const unsure = perhapsPersons(times, by.run)
  return changes.map(({ path, change }) => (unsure.has(path) ? { path, change, during: "command" } : { path, change }))
}

function placeOf({ entry, call, theirs }: CoveredCall): Pick<SnapshotRecord, "entry" | "call" | "hook"> {
  return theirs === undefined ? { entry, call } : { entry: null, hook: { call } }
}

function commandOf({ history }: OpenSession, { entry, call, theirs }: CoveredCall): string | undefined {
  if (theirs !== undefined) return theirs.command
  const row = entry === null ? NONE : history.rowOf(entry)
  const record = row === NONE ? undefined : history.record(row)
  const part =
    record?.type === "message" ? record.content.find((each) => "call" in each && each.call === call) : undefined
  return part?.type === "tool-call" ? commandIn(part.input) : undefined
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

type Facts = Pick<SnapshotRecord, "entry" | "when" | "call" | "since" | "changes" | "paths" | "hook">

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
