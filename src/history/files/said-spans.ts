// Calls of which only the agent's own files tell what they changed, as spans beside those that snapshots show.
import type { SnapshotChange } from "../../model/record/record.ts"
import type { CallSpan } from "./call-span.ts"
import type { SaidCall, SaidChange, SaidFile } from "./said-calls.ts"

/** Leaves out calls that snapshots show, and files that are not in the session's folder. */
export function saidSpans(calls: readonly SaidCall[], shown: readonly CallSpan[]): CallSpan[] {
  const covered = new Set(shown.map(({ call }) => call))
  const wholes = shown.filter(({ whole }) => whole)
  return calls.flatMap(({ call, row, at, files }) => {
    const said = files.filter(({ path }) => !path.startsWith("/"))
    if (said.length === 0 || covered.has(call)) return []
    if (wholes.some(({ from, until }) => from <= at && at <= until)) return []
    const span = { opened: row, row, entry: row, call, before: "", after: "", from: at, until: at, whole: false }
    return [{ ...span, changes: said.map(changeOf), said }]
  })
}

function changeOf({ path, change }: SaidFile): SnapshotChange {
  return { path, change: kindOf(change) }
}

function kindOf(change: SaidChange | undefined): string {
  if (change === undefined || !("before" in change)) return "modified"
  return change.before === null ? "added" : change.after === null ? "deleted" : "modified"
}
