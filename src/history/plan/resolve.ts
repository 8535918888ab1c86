// How a person names an entry: an id or the end of one, a label, @N, head, head~N.
import type { Failure } from "../../model/failure/failure.ts"
import { type EntryId, parseEntryId, SHORT_ID } from "../../model/id.ts"
import { labelName } from "../../model/record/label-name.ts"
import { isEntryKind } from "../../model/record/record.ts"
import { type History, labels, NONE, promptAt, type Row, type Tree } from "../tree/tree.ts"
import { promptBack } from "./plan-back.ts"

/** `names`: `place` for the end of a round, where the head can be even if that round is only a prompt. */
export type Resolved = { ok: true; row: Row; names: "entry" | "place" } | { ok: false; failure: Failure }

export function resolveEntry(history: History, head: Row, name: string): Resolved {
  if (name === "head") return found(head, name)
  const rounds = /^head~(\d+)$/.exec(name)?.[1]
  if (rounds !== undefined) return roundsBack(history, head, Number(rounds), name)
  const nth = /^@(\d+)$/.exec(name)?.[1]
  if (nth !== undefined) return nthPrompt(history, head, Number(nth), name)
  const id = parseEntryId(name)
  if (id !== undefined) return found(entryRow(history, id), name)
  const wanted = labelName(name)
  for (const [entry, label] of labels(history))
    if (labelName(label) === wanted) return found(entryRow(history, entry), name)
  return bySuffix(history, name)
}

/** The row of an entry's id; NONE for the id of anything else. */
function entryRow(history: History, id: EntryId): Row {
  const row = history.rowOf(id)
  return row !== NONE && isEntryKind(history.kind(row)) ? row : NONE
}

function found(row: Row, name: string): Resolved {
  return row === NONE ? missing(name) : { ok: true, row, names: "entry" }
}

function missing(name: string, possible?: string[]): Resolved {
  const failure: Failure = { code: "not-found", what: "entry", name }
  return { ok: false, failure: possible === undefined ? failure : { ...failure, possible } }
}

function roundsBack(history: History, head: Row, rounds: number, name: string): Resolved {
  if (rounds === 0) return found(head, name)
  const last = history.round(head) - 1
  if (rounds > last) return missing(name, last > 0 ? ["head", ...range("head~", last)] : ["head"])
  const end = found(history.parent(promptBack(history, head, rounds)), name)
  return end.ok ? { ...end, names: "place" } : end
}

/** All names from 1 to `last`, as few words as possible: "@1 to @5". */
function range(prefix: string, last: number): string[] {
  return last <= 2 ? [`${prefix}1`, ...(last === 2 ? [`${prefix}2`] : [])] : [`${prefix}1 to ${prefix}${last}`]
}

function nthPrompt(history: History, head: Row, n: number, name: string): Resolved {
  const row = promptAt(history, head, n)
  if (row !== NONE) return found(row, name)
  const last = history.round(head)
  return missing(name, last === 0 ? [] : range("@", last))
}

function bySuffix(tree: Tree, name: string): Resolved {
  const suffix = name.toLowerCase()
  if (suffix.length < SHORT_ID || !/^[0-9a-f-]+$/.test(suffix)) return missing(name)
  const matches = tree.endingWith(suffix)
  const only = matches[0]
  if (only === undefined) return missing(name)
  if (matches.length === 1) return found(only, name)
  const names = matches.map((row) => tree.id(row).slice(-suffix.length - 4))
  return { ok: false, failure: { code: "ambiguous", what: "entry", name, matches: names } }
}
