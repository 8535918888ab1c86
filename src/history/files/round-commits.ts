// Where the repositories of the workspace were when a round began and when it ended.
import { KIND } from "../../model/record/record.ts"
import { chain, type History, NONE, type Row } from "../tree/tree.ts"

export interface RoundCommits {
  /** The repository's folder, relative to the workspace. */
  path: string
  before: string | null
  after: string | null
}

/** By the id of the round's prompt. Contract: costs the snapshots after the row `since`; NONE examines all. */
export function roundCommits(history: History, since: Row): Map<string, RoundCommits[]> {
  const rounds = new Map<string, Map<string, RoundCommits>>()
  for (const row of chain(history, KIND.snapshot)) {
    if (since !== NONE && row < since) break
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.entry === null) continue
    const prompt = promptOf(history, history.rowOf(record.entry))
    if (prompt === undefined) continue
    const round = rounds.get(prompt) ?? new Map<string, RoundCommits>()
    rounds.set(prompt, round)
    // Newest first: the first one we see ended the round, the last one began it.
    for (const { path, commit = null } of record.repositories ?? []) {
      round.set(path, { path, before: commit, after: round.get(path)?.after ?? commit })
    }
  }
  return new Map([...rounds].map(([prompt, round]) => [prompt, [...round.values()]]))
}

function promptOf(history: History, row: Row): string | undefined {
  const prompt = row === NONE ? NONE : history.prompt(row)
  return prompt === NONE ? undefined : history.id(prompt)
}
