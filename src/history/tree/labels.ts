// Labels and config are chains of small records: the last value wins, none is ever lost.
import type { EntryId } from "../../model/id.ts"
import type { Json } from "../../model/json.ts"
import { KIND } from "../../model/record/kind.ts"
import type { ConfigRecord, LogRecord } from "../../model/record/record.ts"
import { type History, NONE, type Row, type Tree } from "./tree.ts"

/** The name of each labelled entry, newest label first. Contract: reads only the labels added since the last call. */
export function labels(history: History): Map<EntryId, string> {
  return new Map([...(lastValues(history, KIND.label).values as Map<EntryId, string>)].reverse())
}

/** The entry with this name: at most one. Contract: as for `labels`, but copies nothing. */
export function entryNamed(history: History, name: string): EntryId | undefined {
  const [entry] = lastValues(history, KIND.label).keys.get(name) ?? []
  return entry as EntryId | undefined
}

/** The last value of each key. Contract: reads only what was set since the last call. */
export function config(history: History): Map<string, Json> {
  return new Map(lastValues(history, KIND.config).values)
}

/** The rows of a kind that form a chain (see `link`), newest first. */
export function* chain(tree: Pick<Tree, "last" | "link">, kind: number): Generator<Row> {
  for (let row = tree.last(kind); row !== NONE; row = tree.link(row)) yield row
}

/** The values of a chain up to a row. */
interface LastValues {
  row: Row
  /** The id of that row: a log that was read again may have other rows. */
  id: string
  values: Map<string, Json>
  /** The keys of each value that is a string. */
  keys: Map<Json, Set<string>>
  /** In another agent's session: what a person set here, and what the agent itself set. */
  ours: Map<string, Json>
  theirs: Map<string, Json>
}

const known = new WeakMap<History, Map<number, LastValues>>()

function lastValues(history: History, kind: number): LastValues {
  const kinds = known.get(history) ?? new Map<number, LastValues>()
  known.set(history, kinds)
  const last = kinds.get(kind)
  const isThere = last !== undefined && last.row < history.size && history.id(last.row) === last.id
  const found = isThere
    ? last
    : { row: NONE, id: "", values: new Map(), keys: new Map(), ours: new Map(), theirs: new Map() }
  const rows: Row[] = []
  for (const row of chain(history, kind)) {
    if (row === found.row) break
    rows.push(row)
  }
  for (const row of rows.reverse()) {
    const record = history.record(row)
    const pair = pairOf(record)
    if (record?.type === "label") takeAway(found, record.name)
    if (pair !== undefined) set(found, pair[0], record?.type === "config" ? settled(found, record) : pair[1])
    found.row = row
    found.id = history.id(row)
  }
  if (found.row !== NONE) kinds.set(kind, found)
  return found
}

function pairOf(record: LogRecord | undefined): [string, Json] | undefined {
  if (record?.type === "label") return [record.entry, record.name === "" ? null : record.name]
  return record?.type === "config" ? [record.key, record.value] : undefined
}

/** In another agent's session, a person's setting holds until it is removed; after that, the agent's own value does. */
function settled({ ours, theirs }: LastValues, { key, value, after }: ConfigRecord): Json {
  if (after === undefined) theirs.set(key, value)
  else ours.set(key, value)
  return ours.get(key) ?? theirs.get(key) ?? null
}

/** A name belongs to the entry that got it last, also if two writers gave it at the same time. */
function takeAway(found: LastValues, name: string): void {
  for (const entry of found.keys.get(name) ?? []) set(found, entry, null)
}

/** Null removes the key. */
function set({ values, keys }: LastValues, key: string, value: Json): void {
  const before = values.get(key)
  if (before !== undefined) keys.get(before)?.delete(key)
  values.delete(key)
  if (value === null) return
  values.set(key, value)
  if (typeof value !== "string") return
  const own = keys.get(value)
  if (own === undefined) keys.set(value, new Set([key]))
  else own.add(key)
}
