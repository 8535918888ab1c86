// The snapshot that shows the files as they were at an entry.
import { KIND } from "../../model/record/record.ts"
import { isSaid } from "../tree/person-words.ts"
import { chain, type History, isOnPath, NONE, type Row } from "../tree/tree.ts"

/**
 * For what the person said: the first one before it, because an agent may report the same prompt again when it continues by itself.
 * For any other entry: the last one up to there. Undefined if none.
 */
export function snapshotAt(history: History, entry: Row): string | undefined {
  const said = isSaid(history, entry)
  const upTo = said ? history.parent(entry) : entry
  let earliestAfter: string | undefined
  let begins: string | undefined
  for (const row of chain(history, KIND.snapshot)) {
    const record = history.record(row)
    if (record?.type !== "snapshot") continue
    const own = record.entry === null ? NONE : history.rowOf(record.entry)
    if (own === NONE) continue
    if (own === entry && record.when === "before") {
      if (!said) return record.snapshot
      begins = record.snapshot
      continue
    }
    if (isOnPath(history, own, upTo)) return begins ?? record.snapshot
    if (isOnPath(history, entry, own)) earliestAfter = record.snapshot
  }
  return begins ?? earliestAfter
}
