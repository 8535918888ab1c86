// Which directory a session belongs to, and which store has its snapshots. Both can change, so both are config values.
import { isAbsolute } from "node:path"
import type { Json } from "../../model/json.ts"
import { KIND, type LogRecord, type SessionRecord } from "../../model/record/record.ts"
import { chain, config, type History } from "./tree.ts"

/** Their config keys. */
export const DIRECTORY_KEY = "cwd"
export const SNAPSHOTS_KEY = "snapshots"

/** Whether all a record says is where the session's folder or its snapshots are now. */
export function isOfMovedFolder(record: LogRecord): boolean {
  return record.type === "config" && (record.key === DIRECTORY_KEY || record.key === SNAPSHOTS_KEY)
}

interface Log {
  header: SessionRecord
  history: History
}

/** Where the session was created, unless its directory has moved since. */
export function directoryOf({ header, history }: Log): string {
  return pathIn(config(history).get(DIRECTORY_KEY)) ?? header.cwd
}

/** The id of the store with its snapshots; undefined: the store of its directory. */
export function snapshotStoreOf(history: History): string | undefined {
  const id = config(history).get(SNAPSHOTS_KEY)
  return typeof id === "string" && /^[0-9a-f]{32}$/.test(id) ? id : undefined
}

/** Where it was before the last move; undefined if it never moved. */
export function directoryBefore({ header, history }: Log): string | undefined {
  let moved = false
  for (const row of chain(history, KIND.config)) {
    const record = history.record(row)
    const path = record?.type === "config" && record.key === DIRECTORY_KEY ? pathIn(record.value) : undefined
    if (path === undefined) continue
    if (moved) return path
    moved = true
  }
  return moved ? header.cwd : undefined
}

/** A log may contain anything. */
function pathIn(value: Json | undefined): string | undefined {
  return typeof value === "string" && isAbsolute(value) ? value : undefined
}
