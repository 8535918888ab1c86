// Commits that were made in rounds that a move leaves. They stay: a restore never touches a repository.

import { chain } from "../../history/labels.ts"
import { commonAncestor, isOnPath } from "../../history/path.ts"
import { type History, NONE, type Row } from "../../history/tree.ts"
import { KIND } from "../../model/kind.ts"
import type { NamedCommit } from "../../workspace/port.ts"
import type { Desk } from "../desk.ts"

export interface CommitsMade {
  /** The repository's folder, relative to the workspace. */
  path: string
  from: string | undefined
  to: string
  /** Newest first; none when only the branch was switched, or when the repository cannot be read. */
  made: NamedCommit[]
  /** How many more there are. */
  more: number
}

const MOST_NAMED = 10

/** Contract: costs the snapshots since the point that is returned to, and reading the commits. */
export async function commitsLeft(desk: Desk, from: Row, to: Row): Promise<CommitsMade[]> {
  const found: CommitsMade[] = []
  for (const { since, ...moved } of repositoriesMoved(desk.history, from, to)) {
    const named = await desk.files?.commits({ ...moved, since: Date.parse(since), most: MOST_NAMED })
    found.push({ ...moved, made: named?.commits ?? [], more: named?.more ?? 0 })
  }
  return found
}

type RepositoryMoved = Pick<CommitsMade, "path" | "from" | "to"> & { since: string }

function repositoriesMoved(history: History, from: Row, to: Row): RepositoryMoved[] {
  const common = commonAncestor(history, from, to)
  const newest = new Map<string, string>()
  const oldest = new Map<string, { commit: string | undefined; at: string }>()
  for (const row of chain(history, KIND.snapshot)) {
    if (common !== NONE && row < common) break
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.entry === null) continue
    const entry = history.rowOf(record.entry)
    if (entry === NONE || !isOnPath(history, entry, from) || (common !== NONE && isOnPath(history, entry, common)))
      continue
    for (const { path, commit } of record.repositories ?? []) {
      if (commit !== undefined && !newest.has(path)) newest.set(path, commit)
      oldest.set(path, { commit, at: record.at })
    }
  }
  return [...newest].flatMap(([path, made]) => {
    const before = oldest.get(path)
    return before === undefined || before.commit === made
      ? []
      : [{ path, from: before.commit, to: made, since: before.at }]
  })
}
