// Commits that were made in rounds that a move leaves. They stay: a restore never touches a repository.

import { chain } from "../../history/labels.ts"
import { commonAncestor, isOnPath } from "../../history/path.ts"
import { type History, NONE, type Row } from "../../history/tree.ts"
import { KIND } from "../../model/kind.ts"

export interface CommitsMade {
  /** The repository's folder, relative to the workspace. */
  path: string
  from: string | undefined
  to: string
}

/** Contract: costs the snapshots since the point that is returned to. */
export function commitsLeft(history: History, from: Row, to: Row): CommitsMade[] {
  const common = commonAncestor(history, from, to)
  const newest = new Map<string, string>()
  const oldest = new Map<string, string | undefined>()
  for (const row of chain(history, KIND.snapshot)) {
    if (common !== NONE && row < common) break
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.entry === null) continue
    const entry = history.rowOf(record.entry)
    if (entry === NONE || !isOnPath(history, entry, from) || (common !== NONE && isOnPath(history, entry, common)))
      continue
    for (const { path, commit } of record.repositories ?? []) {
      if (commit !== undefined && !newest.has(path)) newest.set(path, commit)
      oldest.set(path, commit)
    }
  }
  return [...newest].flatMap(([path, made]) => {
    const before = oldest.get(path)
    return before === made ? [] : [{ path, from: before, to: made }]
  })
}
