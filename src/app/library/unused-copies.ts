// Sessions that retcon wrote for other agents, and that nobody has continued yet. Their files are new, but they were not used: a
// command without -s does not mean them as long as there is another session here.
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isObject, parseJson } from "../../model/json.ts"
import { ensureFolder, orNothing, replaceIfPossible } from "../../store/file/disk/problems.ts"
import type { SessionSummary } from "../../store/port.ts"

/** More than this many are not remembered. */
const MOST = 200

interface Copy {
  file: string
  bytes: number
}

/** Contract: never fails. */
export function noteCopy(home: string, { file, bytes }: Copy): void {
  orNothing(() => ensureFolder(dirname(fileIn(home))))
  const lines = [...copiesIn(home), { file, bytes }].slice(-MOST).map((copy) => `${JSON.stringify(copy)}\n`)
  replaceIfPossible(fileIn(home), lines.join(""))
}

/** Without the copies that are as long as they were written; unless there is nothing else. */
export function withoutUnused(home: string, sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  if (sessions.length < 2 || sessions.every(({ agent }) => agent === undefined)) return sessions
  const written = new Map(copiesIn(home).map(({ file, bytes }) => [file, bytes]))
  const used = sessions.filter(({ file = "", bytes }) => written.get(file) !== bytes)
  return used.length === 0 ? sessions : used
}

function fileIn(home: string): string {
  return join(home, "cache", "written-copies.jsonl")
}

function copiesIn(home: string): Copy[] {
  const text = orNothing(() => readFileSync(fileIn(home), "utf8")) ?? ""
  return text.split("\n").flatMap((line) => {
    const { file, bytes } = lineOf(line)
    return typeof file === "string" && typeof bytes === "number" ? [{ file, bytes }] : []
  })
}

function lineOf(line: string): { file?: unknown; bytes?: unknown } {
  const json = parseJson(line)
  return json.ok && isObject(json.value) ? json.value : {}
}
