// Commits that were made in rounds that a move leaves. They stay: a restore never touches a repository.

import { chain } from "../../history/tree/labels.ts"
import { commonAncestor, isOnPath } from "../../history/tree/path.ts"
import { type History, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { CommitsMade } from "../../model/move/moved.ts"
import { KIND } from "../../model/record/kind.ts"
import type { Repository, RestorePlan } from "../../workspace/port.ts"
import type { OpenSession } from "../state/open-session.ts"

const MOST_NAMED = 10

/**
 * The plan knows where the repositories stand; without it, where the last snapshot saw them.
 * Contract: costs the snapshots since the point that is returned to, and reading the commits.
 */
export async function commitsLeft(
  session: OpenSession,
  from: Row,
  to: Row,
  { repositories: now, kept }: Pick<RestorePlan, "repositories" | "kept"> = { repositories: [], kept: [] },
): Promise<CommitsMade[]> {
  const byGit = kept.some(({ because }) => because === "git-switched")
  const found: CommitsMade[] = []
  for (const { path, before, here, since } of repositoriesMoved(session.history, from, to, now)) {
    const moved = { path, from: before.commit, to: here.commit }
    const named = await session.files?.commits({ ...moved, since: Date.parse(since), most: MOST_NAMED })
    const made = named?.commits ?? []
    const isSwitched = byGit || before.branch !== here.branch || made.length === 0
    const switched = isSwitched ? switchBack(path, before, here) : undefined
    found.push({ ...moved, made, more: named?.more ?? 0, ...(switched && { switched }) })
  }
  return found
}

type Stand = { branch?: string | undefined; commit?: string | undefined }
type RepositoryMoved = { path: string; before: Stand; here: Stand & { commit: string }; since: string }

function switchBack(path: string, before: Stand, here: Stand): CommitsMade["switched"] {
  if (before.commit === undefined) return undefined
  const git = path === "" ? "git" : `git -C ${quoted(path)}`
  const byBranch = before.branch !== undefined && before.branch !== here.branch
  const command = byBranch ? `switch ${quoted(before.branch as string)}` : `checkout ${before.commit.slice(0, 12)}`
  return { from: standName(before, here), to: standName(here, before), command: `${git} ${command}` }
}

/** The branch, unless both are on the same one. */
function standName({ branch, commit = "" }: Stand, other: Stand): string {
  return branch === undefined || branch === other.branch ? commit.slice(0, 7) : branch
}

/** Names in a repository may be anything: what a shell would take for something else is quoted. */
function quoted(text: string): string {
  return /^[\w./@+-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function repositoriesMoved(history: History, from: Row, to: Row, now: readonly Repository[]): RepositoryMoved[] {
  const common = commonAncestor(history, from, to)
  const newest = new Map<string, RepositoryMoved["here"]>()
  for (const { path, branch, commit } of now) if (commit !== undefined) newest.set(path, { branch, commit })
  const oldest = new Map<string, Stand & { at: string }>()
  const isLeft = leftEntries(history, from, common)
  for (const row of chain(history, KIND.snapshot)) {
    if (common !== NONE && row < common) break
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.entry === null || !isLeft(record.entry)) continue
    for (const { path, branch, commit } of record.repositories ?? []) {
      if (commit !== undefined && !newest.has(path)) newest.set(path, { branch, commit })
      oldest.set(path, { branch, commit, at: record.at })
    }
  }
  return [...newest].flatMap(([path, here]) => {
    const before = oldest.get(path)
    return before === undefined || before.commit === here.commit ? [] : [{ path, before, here, since: before.at }]
  })
}

/** Whether an entry is on the path to `from` and not on that to `common`. Each is looked for once: it has many snapshots. */
function leftEntries(history: History, from: Row, common: Row): (entry: EntryId) => boolean {
  const known = new Map<EntryId, boolean>()
  return (entry) => {
    const answer = known.get(entry)
    if (answer !== undefined) return answer
    const row = history.rowOf(entry)
    const isLeft = row !== NONE && isOnPath(history, row, from) && (common === NONE || !isOnPath(history, row, common))
    known.set(entry, isLeft)
    return isLeft
  }
}
