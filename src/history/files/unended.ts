// Calls that can write and never ended, as far as anyone was told: their process was killed, or they were interrupted.
import { KIND, type SnapshotRecord } from "../../model/record/record.ts"
import { chain, type History, path, type Row } from "../tree/tree.ts"
import type { CallSnapshot } from "./left-running.ts"

export interface UnendedCall extends CallSnapshot {
  /** The first snapshot after it, which a hook took at the next prompt: what changed later was not its doing. */
  until?: string
}

/** The snapshots before those whose entry is on the path to `from` but not on the path to `to`. */
export function unended(history: History, from: Row, to: Row): UnendedCall[] {
  const found = begunCalls(history).flatMap(({ row, record, end }) => {
    if (end === undefined) return [{ row, record }]
    return isNarrower(end, record) ? [{ row, record, until: end.snapshot }] : []
  })
  if (found.length === 0) return found
  const staying = new Set(path(history, to))
  const left = new Set(path(history, from).filter((row) => !staying.has(row)))
  return found.filter(({ record }) => record.entry !== null && left.has(history.rowOf(record.entry)))
}

/** All that began and have not ended, newest first. */
export function openCalls(history: History): CallSnapshot[] {
  return begunCalls(history).filter(({ end }) => end === undefined)
}

/** A hook found later that the call had been cut off: the record names only what it changed for certain. */
export function isNarrower({ paths }: Pick<SnapshotRecord, "paths">, before: Pick<SnapshotRecord, "paths">): boolean {
  return paths !== undefined && paths.length < (before.paths?.length ?? Number.POSITIVE_INFINITY)
}

/** Newest first, each with its end. */
function begunCalls(history: History): (CallSnapshot & { end: SnapshotRecord | undefined })[] {
  const found: (CallSnapshot & { end: SnapshotRecord | undefined })[] = []
  const ends = new Map<string, SnapshotRecord>()
  for (const row of chain(history, KIND.snapshot)) {
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.call === undefined || record.entry === null) continue
    const key = `${record.entry} ${record.call}`
    if (record.when === "after") ends.set(key, ends.get(key) ?? record)
    else found.push({ row, record, end: ends.get(key) })
  }
  return found
}
