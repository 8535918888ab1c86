// What no snapshot shows: rounds without snapshots since a moment, with what their calls may have done.
import { ROLES } from "../../model/record/origin.ts"
import { KIND, type Part } from "../../model/record/record.ts"
import { chain, commonAncestor, type History, isOnPath, NONE, type Row } from "../tree/tree.ts"
import { type CallEffect, callEffect } from "./call-effect.ts"

const [TOOL, AGENT] = [ROLES.indexOf("tool"), ROLES.indexOf("assistant")]

/** `calls`: those that may have changed files, by their ids. `partly`: hooks reported others. */
export interface UncoveredRound {
  prompt: Row
  partly: boolean
  calls: ReadonlyMap<string, CallEffect>
}

/** The moment's row: what came after it is in the files now. `from` and `to`: the heads now and then. */
export interface WaySince {
  since: Row
  from: Row
  to: Row
}

/**
 * The rounds without snapshots in which a call may have changed files: since the moment on any branch, because files do not
 * change with the head alone; and those on the way to `to`. Oldest first. A round that hooks reported is covered as far as they
 * reported its calls. Contract: takes time in proportion to the rows since then; reads the bodies only of rounds without snapshots of
 * our own.
 */
export function uncoveredRounds(history: History, way: WaySince): UncoveredRound[] {
  const rounds = spokenSince(history, way)
  const reported = dropCovered(history, rounds)
  return [...rounds]
    .sort(([a], [b]) => a - b)
    .map(([prompt, rows]) => {
      return { prompt, calls: callsIn(history, rows, reported.get(prompt)), partly: reported.has(prompt) }
    })
    .filter(({ calls }) => calls.size > 0)
}

/** The rows of answers and results, by the prompt of their round. */
function spokenSince(history: History, { since, from, to }: WaySince): Map<Row, Row[]> {
  const rounds = new Map<Row, Row[]>()
  const add = (row: Row) => {
    if (history.kind(row) !== KIND.message) return
    const role = history.role(row)
    if (role !== TOOL && role !== AGENT) return
    const prompt = history.prompt(row)
    const rows = rounds.get(prompt)
    if (rows === undefined) rounds.set(prompt, [row])
    else rows.push(row)
  }
  const common = commonAncestor(history, from, to)
  for (let row = to; row !== NONE && row !== common; row = history.parent(row)) if (row < since) add(row)
  for (let row = since; row < history.size; row++) add(row)
  return rounds
}

/** Returns the calls that hooks reported, of each round in which they did. */
function dropCovered(history: History, rounds: Map<Row, Row[]>): Map<Row, Set<string>> {
  const reported = new Map<Row, Set<string>>()
  let first = history.size
  for (const prompt of rounds.keys()) first = Math.min(first, prompt === NONE ? 0 : prompt)
  for (const row of chain(history, KIND.snapshot)) {
    if (rounds.size === 0 || row < first) break
    const covered = roundCovered(history, row)
    if (covered === undefined) continue
    const record = history.record(row)
    const { hook, call } = record?.type === "snapshot" ? record : {}
    if (hook === undefined) rounds.delete(covered)
    else reported.set(covered, (reported.get(covered) ?? new Set()).add(call ?? ""))
  }
  return reported
}

/**
 * The prompt of the round that a snapshot covers. Undefined for a checkpoint in one, which says nothing of its calls: it is not at
 * the prompt, or from before the prompt's first call. (A round of our own that was cut off has the snapshots of its calls.)
 */
export function roundCovered(history: History, snapshot: Row): Row | undefined {
  const record = history.record(snapshot)
  const entry = record?.type === "snapshot" && record.entry !== null ? history.rowOf(record.entry) : NONE
  if (record?.type !== "snapshot" || entry === NONE) return undefined
  const ofRound = history.isPrompt(entry) && (record.when === "after" || record.hook !== undefined)
  return record.call !== undefined || ofRound ? history.prompt(entry) : undefined
}

/**
 * Those that may have changed files. `reported`: without these. Hooks are not told of every tool, but of each that edits, runs a
 * command or starts an agent, as long as they work. Reads results, which may be long, only if they can make a difference.
 */
function callsIn(
  history: History,
  rows: readonly Row[],
  reported: ReadonlySet<string> | undefined,
): Map<string, CallEffect> {
  const calls = new Map<string, CallEffect>()
  for (const part of partsIn(history, rows, AGENT)) {
    if (part.type !== "tool-call") continue
    const effect = callEffect(part)
    const isKnown = reported !== undefined && (effect.kind === "other" || reported.has(part.call))
    if (effect.kind !== "none" && !isKnown) calls.set(part.call, effect)
  }
  if ([...calls.values()].every(({ kind }) => kind !== "edit")) return calls
  // An edit that failed changed nothing; a command may fail after it has.
  for (const part of partsIn(history, rows, TOOL)) {
    if (part.type !== "tool-result" || part.error !== true) continue
    if (calls.get(part.call)?.kind === "edit") calls.delete(part.call)
  }
  return calls
}

function* partsIn(history: History, rows: readonly Row[], role: number): Generator<Part> {
  for (const row of rows) {
    const record = history.role(row) === role ? history.record(row) : undefined
    if (record?.type === "message") yield* record.content
  }
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
