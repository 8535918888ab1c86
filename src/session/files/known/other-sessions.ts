// Other sessions in the same directory, above it or below it. A change that two of them made at the same time is credited to none.
import { relative } from "node:path"
import { type CallSpan, callSpans } from "../../../history/files/call-spans.ts"
import { openCalls } from "../../../history/files/unended.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { SessionId } from "../../../model/id.ts"
import type { SessionStore } from "../../../store/port.ts"
import {
  type FileChange,
  parseSnapshotId,
  type RestorePlan,
  type SnapshotId,
  type Workspace,
} from "../../../workspace/port.ts"

export interface OtherSpan {
  session: SessionId
  from: string
  /** `NOT_YET` while its call still runs. */
  until: string
  /** Relative to this session's directory. Undefined for a command that has not ended, which may have changed anything. */
  paths: ReadonlySet<string> | undefined
  /** It has not ended, so what changed since it began is not known to be its doing. */
  unended?: true
  /** For such a command in this very directory: the snapshot before it. */
  before?: string
}

/** Later than any time. */
const NOT_YET = "~"

/** The spans of other sessions, with files among ours, that ended after `since` or are still open. */
export async function otherSpans(
  store: SessionStore,
  me: { id: SessionId; cwd: string },
  since: string,
): Promise<OtherSpan[]> {
  const found: OtherSpan[] = []
  for (const { id, cwd, updated, busy, busyHere, from } of await store.list()) {
    // An attempt works in a copy, and what it did there becomes a branch of this tree.
    if (from?.as === "attempt") continue
    const here = pathsFrom(cwd, me.cwd)
    const runs = busy === true || busyHere === true
    if (id === me.id || here === undefined || (updated < since && !runs)) continue
    for (const { from, until, paths, before, unended } of await spansOf(store, id, runs ? NOT_YET : updated)) {
      if (until < since) continue
      const ours = paths && new Set(paths.flatMap((path) => here(path) ?? []))
      const began = cwd === me.cwd && before !== undefined ? { before } : {}
      found.push({ session: id, from, until, paths: ours, ...(unended && { unended }), ...began })
    }
  }
  return found
}

/** Converts a path relative to another directory into one relative to ours; undefined if they share no files. */
function pathsFrom(theirs: string, ours: string): ((path: string) => string | undefined) | undefined {
  if (theirs === ours) return (path) => path
  const down = relative(ours, theirs)
  if (!down.startsWith("..")) return (path) => `${down}/${path}`
  const up = relative(theirs, ours)
  if (up.startsWith("..")) return undefined
  return (path) => (path.startsWith(`${up}/`) ? path.slice(up.length + 1) : undefined)
}

type OtherCall = Pick<OtherSpan, "from" | "until" | "unended" | "before"> & { paths: string[] | undefined }

/**
 * Leaves out a session that cannot be opened: its changes then count as the person's, and are kept.
 * `end`: the latest time until which an unended call can have run.
 */
async function spansOf(store: SessionStore, id: SessionId, end: string): Promise<OtherCall[]> {
  try {
    const log = await store.open(id)
    const closed = callSpans(log.history).map(({ from, until, changes }): OtherCall => {
      return { from, until, paths: changes.map(({ path }) => path) }
    })
    const open = openCalls(log.history).map(({ record }): OtherCall => {
      // A call that names its files writes to these; a command may have written to anything, or to nothing.
      return record.paths === undefined
        ? { from: record.at, until: end, paths: undefined, unended: true, before: record.snapshot }
        : { from: record.at, until: end, paths: record.paths }
    })
    await log.close()
    return [...closed, ...open]
  } catch (error) {
    if (error instanceof RetconError) return []
    throw error
  }
}

/** Paths of a span that another session changed while it was open. */
export function sharedPaths(span: CallSpan, others: readonly OtherSpan[]): string[] {
  const overlapping = others.filter((other) => other.from < span.until && other.until > span.from)
  return span.changes
    .map((change) => change.path)
    .filter((path) => overlapping.some(({ paths }) => paths?.has(path) ?? true))
}

/** The same spans, where those of unended commands list what has changed since they began. */
export async function withChangesUntil(
  files: Workspace,
  now: SnapshotId,
  others: readonly OtherSpan[],
): Promise<OtherSpan[]> {
  const found: OtherSpan[] = []
  for (const other of others) {
    const before = other.paths === undefined ? parseSnapshotId(other.before) : undefined
    const changes = before === undefined ? undefined : await changesSince(files, before, now)
    found.push(changes === undefined ? other : { ...other, paths: new Set(changes.map(({ path }) => path)) })
  }
  return found
}

/** Undefined if the snapshot is gone. */
export async function changesSince(
  files: Workspace,
  before: SnapshotId,
  now: SnapshotId,
): Promise<FileChange[] | undefined> {
  try {
    return await files.diff(before, now)
  } catch (error) {
    if (error instanceof RetconError && error.code === "snapshot-gone") return undefined
    throw error
  }
}

/** The plan, with the other session that changed each kept or conflicting file, if its log says so. */
export function withOthers(
  plan: RestorePlan,
  others: readonly OtherSpan[],
  since: (path: string) => string | undefined,
): RestorePlan {
  const named = <Named extends { path: string; because: string }>(each: Named): Named => {
    const from = since(each.path)
    if (from === undefined) return each
    const theirs = others.filter(
      ({ paths, until }) => (paths?.has(each.path) ?? each.because === "other-session") && until >= from,
    )
    const last = theirs.sort((a, b) => (a.until < b.until ? 1 : -1))[0]
    if (last === undefined) return each
    const isGuess = each.because === "other-session" && theirs.every(({ unended }) => unended === true)
    return { ...each, ...(isGuess && { because: "other-command" }), by: last.session }
  }
  return { ...plan, kept: plan.kept.map(named), conflicts: plan.conflicts.map(named) }
}
