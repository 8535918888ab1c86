// Labels and config are chains of small records: the last value wins, none is ever lost.
import type { EntryId } from "../model/id.ts"
import type { Json } from "../model/json.ts"
import { KIND } from "../model/kind.ts"
import { type History, NONE, type Row } from "./tree.ts"

/** The name of each labelled entry. */
export function labels(history: History): Map<EntryId, string> {
  const last = new Map<EntryId, string>()
  for (const row of chain(history, KIND.label)) {
    const record = history.record(row)
    if (record?.type === "label" && !last.has(record.entry)) last.set(record.entry, record.name)
  }
  for (const [entry, name] of last) if (name === "") last.delete(entry)
  return last
}

/** The last value of each key. */
export function config(history: History): Map<string, Json> {
  const last = new Map<string, Json>()
  for (const row of chain(history, KIND.config)) {
    const record = history.record(row)
    if (record?.type === "config" && !last.has(record.key)) last.set(record.key, record.value)
  }
  for (const [key, value] of last) if (value === null) last.delete(key)
  return last
}

/** The rows of a kind that is not in the tree, newest first. */
export function* chain(history: History, kind: number): Generator<Row> {
  for (let row = history.last(kind); row !== NONE; row = history.link(row)) yield row
}
