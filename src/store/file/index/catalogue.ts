// The catalogue of a directory: what a list shows of its sessions, with a line for each one closed or listed; the last
// line of a session counts. Each batch begins with a line with its checksum. Derived and deletable: a log's length and
// time show whether its line is still valid.
import { appendFileSync, closeSync, openSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import { parseSessionId } from "../../../model/id.ts"
import { isObject, type Json, parseJson } from "../../../model/json.ts"
import type { SessionSummary } from "../../port.ts"
import { idInName } from "../disk/layout.ts"
import { errno, orNothing, replaceIfPossible } from "../disk/problems.ts"
import { readAt } from "../disk/read-at.ts"

/** Without the suffix of a log, because it is not one. */
export const CATALOGUE = "catalogue"
/** Increment it when a list gets another field. */
const VERSION = 4
/** The catalogue is rewritten when it has this many lines more than two per session. */
const MOST_STALE = 64
/** More than a line takes, even with a long title, so a catalogue's length alone shows that most of it is stale. */
const LINE_BYTES = 1024

/** All that a list needs, except where the session is. `bytes` and `mtime` are the log's. */
export type Listed = Omit<SessionSummary, "file" | "busy"> & { mtime: number }

/** By the name of the log's file. */
export type Sessions = Map<string, Listed>

interface Known {
  ino: number
  size: number
  mtime: number
  lines: number
  sessions: Sessions
}

/** Catalogues as this process last read them: parsing one takes as long as examining all its sessions. */
const known = new Map<string, Known>()

/** What the catalogue of a folder contains. Skips everything that is wrong in it. */
export function readCatalogue(folder: string): Sessions {
  const file = join(folder, CATALOGUE)
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat?.isFile() !== true) return forget(file)
    const { ino, size, mtimeMs: mtime } = stat
    const before = known.get(file)
    if (before?.ino === ino && before.size === size && before.mtime === mtime) return before.sessions
    const grown = before?.ino === ino && before.size < size ? before : undefined
    const { sessions, ...from } = grown ?? { size: 0, lines: 0, sessions: new Map<string, Listed>() }
    const lines = from.lines + takeLines(readText(file, from.size, size), sessions)
    known.set(file, { ino, size, mtime, lines, sessions })
    return sessions
  } catch (error) {
    if (errno(error) === undefined) throw error
    return new Map()
  }
}

function forget(file: string): Sessions {
  known.delete(file)
  return new Map()
}

function readText(file: string, from: number, to: number): string {
  const fd = openSync(file, "r")
  try {
    return readAt(fd, from, to - from).toString("utf8")
  } finally {
    closeSync(fd)
  }
}

/** Parses all intact lines at once, which is quicker. Returns how many there are. */
function takeLines(text: string, sessions: Sessions): number {
  const lines = soundLines(text)
  const all = parseJson(`[${lines.join(",")}]`)
  for (const value of all.ok ? (all.value as Json[]) : []) {
    if (!isObject(value) || value.v !== VERSION || typeof value.name !== "string") continue
    if (isListed(value)) sessions.set(value.name, value as unknown as Listed)
  }
  return lines.length
}

const SUM = /^sum ([0-9a-f]{8}) (\d+)$/

/** The lines after each checksum that matches them: a torn or damaged line affects no others. */
function soundLines(text: string): string[] {
  const lines = text.split("\n")
  const sound: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const [, sum, count] = SUM.exec(lines[i] as string) ?? []
    if (sum === undefined) continue
    const batch = lines.slice(i + 1, i + 1 + Number(count))
    if (sumOf(batch) === sum) for (const line of batch) sound.push(line)
  }
  return sound
}

function sumOf(lines: readonly string[]): string {
  return crc32(lines.join("\n")).toString(16).padStart(8, "0")
}

export function isListed(value: { readonly [field in keyof Listed]?: unknown }): boolean {
  return (
    parseSessionId(value.id) !== undefined &&
    typeof value.mtime === "number" &&
    typeof value.bytes === "number" &&
    typeof value.cwd === "string" &&
    typeof value.title === "string" &&
    typeof value.updated === "string" &&
    typeof value.prompts === "number" &&
    typeof value.branches === "number" &&
    typeof value.archived === "boolean"
  )
}

/** Adds what was found, or rewrites everything if most of it is out of date. Never fails: nobody needs it. */
export function keepCatalogue(folder: string, found: Sessions, all: Sessions): void {
  const file = join(folder, CATALOGUE)
  const lines = (known.get(file)?.lines ?? 0) + found.size
  if (lines <= 2 * all.size + MOST_STALE) addToCatalogue(folder, found)
  else replaceIfPossible(file, print(all))
}

/** Adds the new state of one session. Never fails, and keeps the catalogue from growing forever. */
export function tellCatalogue(folder: string, name: string, listed: Listed): void {
  addToCatalogue(folder, new Map([[name, listed]]))
  const file = join(folder, CATALOGUE)
  const stat = orNothing(() => statSync(file))
  if (stat === undefined || stat.size < MOST_STALE * LINE_BYTES) return
  const names = orNothing(() => new Set(readdirSync(folder).filter((each) => idInName(each) !== undefined)))
  if (names === undefined || stat.size < (2 * names.size + MOST_STALE) * LINE_BYTES) return
  replaceIfPossible(file, print(new Map([...readCatalogue(folder)].filter(([each]) => names.has(each)))))
}

/** One write, so that lines of two processes do not mix. Never fails. */
function addToCatalogue(folder: string, found: Sessions): void {
  const file = join(folder, CATALOGUE)
  // Writing to anything else in its place, such as a pipe, might block.
  if (found.size === 0 || orNothing(() => statSync(file, { throwIfNoEntry: false })?.isFile()) === false) return
  orNothing(() => appendFileSync(file, print(found), { mode: 0o600 }))
}

/** Begins with a newline too, so that a line torn by a crash does not affect the next. */
function print(sessions: Sessions): string {
  const lines = [...sessions].map(([name, listed]) => JSON.stringify({ ...listed, v: VERSION, name }))
  return `\nsum ${sumOf(lines)} ${lines.length}\n${lines.join("\n")}\n`
}
