// What no snapshot shows: rounds in a folder that was too large, or from before a split; files that are left out.
import { chain } from "../../../history/tree/labels.ts"
import { commonAncestor, isOnPath } from "../../../history/tree/path.ts"
import { type History, NONE, type Row } from "../../../history/tree/tree.ts"
import { KIND } from "../../../model/record/kind.ts"
import { ROLES } from "../../../model/record/origin.ts"

const TOOL = ROLES.indexOf("tool")

/**
 * How many whole rounds between two heads used tools and have no snapshot. Contract: takes time in proportion to the entries
 * between them, and to the snapshots since their common ancestor.
 */
export function roundsNotCovered(history: History, from: Row, to: Row): number {
  const common = commonAncestor(history, from, to)
  const open = new Set([...roundsWithTools(history, from, common), ...roundsWithTools(history, to, common)])
  for (const row of chain(history, KIND.snapshot)) {
    if (open.size === 0 || (common !== NONE && row < common)) break
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.entry === null) continue
    const entry = history.rowOf(record.entry)
    // A checkpoint in the middle of a round says nothing about the calls of that round.
    if (entry !== NONE && (record.call !== undefined || history.isPrompt(entry))) open.delete(history.prompt(entry))
  }
  return open.size
}

/** The prompts of rounds above `end` in which a tool answered. */
function roundsWithTools(history: History, head: Row, end: Row): Row[] {
  const found: Row[] = []
  let used = false
  for (let row = head; row !== NONE && row !== end; row = history.parent(row)) {
    if (history.kind(row) === KIND.message && history.role(row) === TOOL) used = true
    if (!history.isPrompt(row)) continue
    if (used) found.push(row)
    used = false
  }
  return found
}

/** Paths named by calls in the entries being left for which no change was seen. Contract: takes time as above. */
export function pathsNotSeen(history: History, from: Row, to: Row): string[] {
  const common = commonAncestor(history, from, to)
  const found = new Set<string>()
  for (const row of chain(history, KIND.snapshot)) {
    if (common !== NONE && row < common) break
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.when !== "after" || record.entry === null) continue
    const { paths = [], changes = [] } = record
    const entry = history.rowOf(record.entry)
    if (entry === NONE || !isOnPath(history, entry, from) || (common !== NONE && isOnPath(history, entry, common)))
      continue
    for (const path of paths) if (!changes.some((change) => change.path === path)) found.add(path)
  }
  return [...found]
}
