// Which directory a session belongs to, and which store holds its snapshots: both are values that can change.
import { isAbsolute } from "node:path"
import type { Json } from "../../model/json.ts"
import { KIND } from "../../model/record/kind.ts"
import type { LogRecord, SessionRecord } from "../../model/record/record.ts"
import { chain, config } from "./labels.ts"
import type { History } from "./tree.ts"

/** The keys of config that say it. */
export const DIRECTORY_KEY = "cwd"
export const SNAPSHOTS_KEY = "snapshots"

/** Whether a record says only where the session's folder and its snapshots are now. */
export function isOfMovedFolder(record: LogRecord): boolean {
  return record.type === "config" && (record.key === DIRECTORY_KEY || record.key === SNAPSHOTS_KEY)
}

interface Log {
  header: SessionRecord
  history: History
}

/** Where the session was made, unless its directory was moved since. */
export function directoryOf({ header, history }: Log): string {
  return pathIn(config(history).get(DIRECTORY_KEY)) ?? header.cwd
}

/** The id of the store with its snapshots; undefined for the store of its directory. */
export function snapshotStoreOf(history: History): string | undefined {
  const id = config(history).get(SNAPSHOTS_KEY)
  return typeof id === "string" && /^[0-9a-f]{32}$/.test(id) ? id : undefined
}

/** Where it was before it was moved last; undefined if it never was. */
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

/** A log may hold anything. */
function pathIn(value: Json | undefined): string | undefined {
  return typeof value === "string" && isAbsolute(value) ? value : undefined
}
