// Calls that can write and never ended: their process was killed, and no snapshot was taken after them.
import { KIND } from "../../model/record/kind.ts"
import { chain } from "../tree/labels.ts"
import { path } from "../tree/path.ts"
import type { History, Row } from "../tree/tree.ts"
import type { CallSnapshot } from "./left-running.ts"

/** The snapshots before those whose entry is on the path to `from` but not on the path to `to`. */
export function unended(history: History, from: Row, to: Row): CallSnapshot[] {
  const found = openCalls(history)
  if (found.length === 0) return found
  const staying = new Set(path(history, to))
  const left = new Set(path(history, from).filter((row) => !staying.has(row)))
  return found.filter(({ record }) => record.entry !== null && left.has(history.rowOf(record.entry)))
}

/** All that began and have not ended, newest first. */
export function openCalls(history: History): CallSnapshot[] {
  const found: CallSnapshot[] = []
  const ended = new Set<string>()
  for (const row of chain(history, KIND.snapshot)) {
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.call === undefined || record.entry === null) continue
    const key = `${record.entry} ${record.call}`
    if (record.when === "after") ended.add(key)
    else if (!ended.has(key)) found.push({ row, record })
  }
  return found
}
