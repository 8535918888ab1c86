// Commits made in the rounds that a move leaves. They stay, because a restore never touches a repository.
import { chain, commonAncestor, type History, isOnPath, NONE, type Row } from "../../../history/tree/tree.ts"
import type { EntryId } from "../../../model/id.ts"
import type { CommitsMade } from "../../../model/move/moved.ts"
import { KIND } from "../../../model/record/record.ts"
import type { Repository, RestorePlan } from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"

const MOST_NAMED = 10

/**
 * The plan knows the repositories' present commits. Contract: takes time in proportion to the snapshots since the target, plus
 * reading the commits.
 */
export function commitsLeft(
  session: OpenSession,
  range: { from: Row; to: Row },
  { repositories, kept }: Pick<RestorePlan, "repositories" | "kept">,
): Promise<CommitsMade[]> {
  const byGit = kept.some(({ because }) => because === "git-switched")
  return commitsOf(session, repositoriesMoved(session.history, range, repositories), byGit)
}

/** The commits by which repositories have moved; `byGit`: git has changed files too. */
export async function commitsOf(
  session: OpenSession,
  repositories: readonly RepositoryMoved[],
  byGit = false,
): Promise<CommitsMade[]> {
  const found: CommitsMade[] = []
  for (const { path, before, here, since } of repositories) {
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
/** `since`: when it was last known to be at `before`. */
export type RepositoryMoved = { path: string; before: Stand; here: Stand & { commit: string }; since: string }

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

/** Quotes a name if a shell would read it differently: names in a repository may be anything. */
function quoted(text: string): string {
  return /^[\w./@+-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** A repository's commit at a snapshot, and the entry of that snapshot. */
type Seen = Stand & { entry: EntryId; at: string }

/**
 * The repositories that have moved since the beginning of what a move leaves. `now`: their present commits, if known better than
 * from the last snapshot. Contract: looks for entries only if a repository has moved.
 */
export function repositoriesMoved(
  history: History,
  { from, to }: { from: Row; to: Row },
  now: readonly Repository[] = [],
): RepositoryMoved[] {
  const common = commonAncestor(history, from, to)
  const isLeft = leftEntries(history, from, common)
  const known = new Map(now.map((repository) => [repository.path, repository]))
  return [...seenSince(history, common)].flatMap(([path, seen]) => {
    const stands = known.get(path)?.commit === undefined ? [] : [known.get(path) as Stand]
    const all: Stand[] = [...stands, ...seen]
    if (all.every(({ commit }) => commit === all[0]?.commit)) return []
    const left = seen.filter(({ entry }) => isLeft(entry))
    const before = left.at(-1)
    const { branch, commit } = [...stands, ...left].find((stand) => stand.commit !== undefined) ?? {}
    if (before === undefined || commit === undefined || before.commit === commit) return []
    return [{ path, before, here: { branch, commit }, since: before.at }]
  })
}

/** By path, newest first. */
function seenSince(history: History, since: Row): Map<string, Seen[]> {
  const found = new Map<string, Seen[]>()
  for (const row of chain(history, KIND.snapshot)) {
    if (since !== NONE && row < since) break
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.entry === null) continue
    const { entry, at } = record
    for (const { path, branch, commit } of record.repositories ?? []) {
      const seen = found.get(path)
      if (seen === undefined) found.set(path, [{ branch, commit, entry, at }])
      else seen.push({ branch, commit, entry, at })
    }
  }
  return found
}

/** Whether an entry is on the path to `from` but not on that to `common`. Remembers the answer, because an entry has many snapshots. */
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
