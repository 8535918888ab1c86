// Commits that Any-code, a wrapper around Claude Code, records for each prompt of a session in a separate file.
import { readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { orNothing } from "../../model/failure/retcon-error.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { PromptCommits } from "../port.ts"
import { parseLine, textField } from "../shared/json-line.ts"

/** Beside the sessions of a project, named after the session. */
function recordsFile(path: string): string {
  return join(dirname(path), "sessions", `${basename(path, ".jsonl")}.git-records.json`)
}

/** By the prompt's position in the file, from 0. Undefined if there is no such file or it cannot be read. */
export function gitRecords(path: string): ReadonlyMap<number, PromptCommits> | undefined {
  const bytes = orNothing(() => readFileSync(recordsFile(path)))
  const records = bytes === undefined ? undefined : parseLine(bytes)
  if (records === undefined) return undefined
  return new Map(Object.entries(records).flatMap(([place, record]) => commitsOf(place, record)))
}

function commitsOf(place: string, record: Json | undefined): [number, PromptCommits][] {
  if (!/^\d{1,9}$/.test(place) || !isObject(record)) return []
  const before = commitIn(record, "commitBefore")
  const after = commitIn(record, "commitAfter")
  return before === undefined ? [] : [[Number(place), { before, ...(after !== undefined && { after }) }]]
}

/** Undefined for `NONE` or an empty field: there was no commit. */
function commitIn(record: JsonObject, field: string): string | undefined {
  const commit = textField(record, field)
  return commit !== undefined && /^[0-9a-f]{40}$/.test(commit) ? commit : undefined
}
