// What history knows about a log: one row per line, in order. Rows are positions: outside, identity is always an id.
import type { EntryId, RecordId } from "../../model/id.ts"
import type { Json } from "../../model/json.ts"
import { type ConfigRecord, type Entry, isEntry, isEntryKind, KIND, type LogRecord } from "../../model/record/record.ts"

/** The number of a line, from 0. Valid for one open log; never stored in a record. */
export type Row = number

/** No row: the empty conversation, no parent, nothing to undo. */
export const NONE: Row = 0xffffffff

/**
 * Contract: a row never changes once it exists, and refers only to earlier rows. The cost of a call does not depend on
 * the size. For rows that are not entries, calls about what only entries have return NONE, 0 or false.
 */
export interface Tree {
  readonly size: number
  /** The head after replaying all rows, or NONE. */
  readonly head: Row
  kind(row: Row): number
  /** Index into ROLES. */
  role(row: Row): number
  /** Index into ORIGINS. */
  origin(row: Row): number
  isPrompt(row: Row): boolean
  /** Whether it is an operation that went with the files. */
  movesFiles(row: Row): boolean
  /** Whether it is an operation by which the agent went back to a checkpoint. */
  isBacktrack(row: Row): boolean
  /** The parent of an entry; where an operation came from. */
  parent(row: Row): Row
  /** An entry further up, chosen so that every ancestor can be reached in logarithmically many steps (see path.ts). */
  jump(row: Row): Row
  /** The head after this row. */
  headAfter(row: Row): Row
  /** Entries from the root to here, inclusive. */
  depth(row: Row): number
  /** Messages among them. */
  messages(row: Row): number
  /** The nearest prompt, compaction, state entry or checkpoint, at the row or above it. */
  prompt(row: Row): Row
  compaction(row: Row): Row
  state(row: Row): Row
  /** The key of a state entry if it is one of retcon's own. Undefined: use `record`. */
  stateKey(row: Row): string | undefined
  checkpoint(row: Row): Row
  /** The nearest state entry with the system prompt, at the row or above it. */
  system(row: Row): Row
  /** Prompts from the root to here. */
  round(row: Row): number
  /** The first row of the last unit not undone, after this row. */
  undo(row: Row): Row
  /** The undo operation that redo would take back, after this row. */
  redo(row: Row): Row
  /**
   * For the first row of a unit: the unit before it. For an undo: the undo below it. For a label, config, snapshot, or
   * a note that was written with its operation: the one before it.
   */
  link(row: Row): Row
  /** For an undo operation: the unit it undid. For a state entry: what `system` returns. */
  unit(row: Row): Row
  /** The last label, config, snapshot, session or note row. */
  last(kind: number): Row
  id(row: Row): RecordId
  /** The last eight hex digits of the id as a number: much cheaper than the id. */
  idEnd(row: Row): number
  rowOf(id: string): Row
  /** Entries whose id ends with it, oldest first. Contract: `suffix` has at least six hex digits. */
  endingWith(suffix: string): Row[]
  /** Entries without children, oldest first. */
  tips(): Row[]
}

/**
 * A tree whose bodies can be read. Contract: `record` returns undefined for a row that cannot be read or is not here.
 */
export interface History extends Tree {
  record(row: Row): LogRecord | undefined
  /** Whether `record` can answer at once. Always true, except in a copy of the tree whose bodies are fetched. */
  isHere(row: Row): boolean
  /** Incremented when the rows were rebuilt: earlier rows are no longer valid. */
  readonly generation: number
  /** Another agent's title of the session, if it is not in the rows. A title in the rows takes precedence. */
  readonly titleBeside?: string | undefined
}

/** The id of an entry, or null for NONE. */
export function entryId(tree: Tree, row: Row): EntryId | null {
  return row === NONE ? null : (tree.id(row) as EntryId)
}

/**
 * Walks over the tree. No recursion: a path of a million entries is a loop. The entries from `after` (exclusive, NONE
 * for the root) to `head`, in order.
 */
export function path(tree: Tree, head: Row, after: Row = NONE): Row[] {
  const rows: Row[] = []
  for (let row = head; row !== NONE && row !== after; row = tree.parent(row)) rows.push(row)
  return rows.reverse()
}

/** The same from the root, with their bodies. What cannot be read is left out. */
export function* entriesOf(history: History, head: Row): Generator<Entry> {
  for (const row of path(history, head)) {
    const record = history.record(row)
    if (record !== undefined && isEntry(record)) yield record
  }
}

/** The first entry of the path to `head`, or NONE. Costs the logarithm of the path. */
export function root(tree: Tree, head: Row): Row {
  return head === NONE ? NONE : ancestorAt(tree, head, 1)
}

/** The prompts from the root to `head`, or the last few, in order. Costs that many rounds, not entries. */
export function prompts(tree: Tree, head: Row, last = Number.POSITIVE_INFINITY): Row[] {
  const rows: Row[] = []
  for (let row = tree.prompt(head); row !== NONE && rows.length < last; row = tree.prompt(tree.parent(row))) {
    rows.push(row)
  }
  return rows.reverse()
}

/** The prompt that starts the n-th round of the path to `head`, or NONE. Costs the logarithm of the path. */
export function promptAt(tree: Tree, head: Row, n: number): Row {
  if (n < 1 || n > tree.round(head)) return NONE
  let row = head
  while (tree.round(row) > n) {
    const far = tree.jump(row)
    row = tree.round(far) >= n ? far : tree.parent(row)
  }
  return tree.prompt(row)
}

/** The ancestor of `row`, or `row` itself, at this depth. */
function ancestorAt(tree: Tree, row: Row, depth: number): Row {
  let at = row
  while (tree.depth(at) > depth) {
    const far = tree.jump(at)
    at = tree.depth(far) >= depth ? far : tree.parent(at)
  }
  return at
}

/** The deepest entry that both paths share, or NONE. Costs the logarithm of the paths. */
export function commonAncestor(tree: Tree, a: Row, b: Row): Row {
  const depth = Math.min(tree.depth(a), tree.depth(b))
  let [left, right] = [ancestorAt(tree, a, depth), ancestorAt(tree, b, depth)]
  // Both are at the same depth, so both jump equally far; they jump as long as that does not make them meet.
  while (left !== right) {
    const [farLeft, farRight] = [tree.jump(left), tree.jump(right)]
    const meet = farLeft === farRight
    left = meet ? tree.parent(left) : farLeft
    right = meet ? tree.parent(right) : farRight
  }
  return left
}

/** Whether `row` is on the path to `head`. The empty conversation is on every path. */
export function isOnPath(tree: Tree, row: Row, head: Row): boolean {
  return row === NONE || ancestorAt(tree, head, tree.depth(row)) === row
}

/** All entries, in log order. */
export function* entries(tree: Pick<Tree, "size" | "kind">): Generator<Row> {
  for (let row = 0; row < tree.size; row++) if (isEntryKind(tree.kind(row))) yield row
}

/** How two heads differ. */
export interface Comparison {
  common: Row
  /** Entries that only the first path has, and entries that only the second has. */
  onlyA: number
  onlyB: number
}

export function compare(tree: Tree, a: Row, b: Row): Comparison {
  const common = commonAncestor(tree, a, b)
  return { common, onlyA: tree.depth(a) - tree.depth(common), onlyB: tree.depth(b) - tree.depth(common) }
}

/**
 * Labels and config are chains of small records: the last value wins, none is ever lost. The name of each labelled
 * entry, newest label first. Contract: reads only the labels added since the last call.
 */
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
