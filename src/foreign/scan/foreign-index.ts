// The index of another agent's session, in our cache: rows as for one of our own sessions and, in a second file, how far each
// file was scanned and the state that the scanner needs to continue. Derived and deletable.
import { closeSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { crc32 } from "node:zlib"
import type { Rows, StoredRows } from "../../history/rows/rows.ts"
import { isObject, type Json, parseJson } from "../../model/json.ts"
import { ensureFolder, orNothing } from "../../store/file/disk/problems.ts"
import { type OpenIndex, openIndex, writeIndex } from "../../store/file/index/index-file.ts"
import type { KnownSummary } from "../../store/log-summary.ts"
import type { Covered } from "../disk/source-file.ts"
import type { ForeignHistory } from "./foreign-history.ts"

/** Increment it with every change to a scanner that makes different rows from the same bytes. */
const VERSION = 6

/** What the rows of an index cover. */
export interface IndexState {
  covered: Covered[]
  state: Json
  /** How many rows of our log are included. */
  ours: number
}

export interface ForeignIndex extends IndexState {
  rows: number
  summary: KnownSummary
  stored: StoredRows
  close(): void
}

/** Undefined if there is no usable index. `rescan`: builds the rows from the files, for when a page is damaged. */
export function openForeignIndex(file: string, rescan: () => Rows): ForeignIndex | undefined {
  const text = orNothing(() => readFileSync(stateFile(file), "utf8"))
  const known = text === undefined ? undefined : parseState(text)
  if (text === undefined || known === undefined) return undefined
  const index = openIndex(file, ({ tailSum }) => tailSum === crc32(text))
  if (index === undefined) return undefined
  const { rows, summary } = index
  return { ...known, rows, summary, stored: storedRows(index, rescan), close: () => closeSync(index.fd) }
}

function storedRows(index: OpenIndex, rescan: () => Rows): StoredRows {
  const { rows, tips } = index
  let fresh: Rows | undefined
  const again = () => {
    fresh ??= rescan()
    return fresh
  }
  return {
    size: rows,
    last: index.last,
    branches: index.summary.branches,
    tips: () => (tips instanceof Uint32Array ? { rows, tips } : undefined),
    firstPrompt: index.firstPrompt,
    blockTimes: () => index.blockTimes() ?? again().blockTimes,
    page: (number) => index.page(number) ?? again().page(number).slice(),
    tails: (block) => index.tails(block) ?? again().tails(block).slice(),
  }
}

/** Never fails: the index is only a cache. Returns whether it was written. */
export function writeForeignIndex(
  file: string,
  history: ForeignHistory,
  { kept, summary, ...state }: IndexState & { kept: number; summary: KnownSummary },
): boolean {
  const text = JSON.stringify({ version: VERSION, ...state })
  const temporary = `${stateFile(file)}.${process.pid}.tmp`
  const written = orNothing(() => {
    ensureFolder(dirname(file))
    writeFileSync(temporary, text, { mode: 0o600 })
    renameSync(temporary, stateFile(file))
    return true
  })
  if (written !== true) {
    orNothing(() => rmSync(temporary, { force: true }))
    return false
  }
  const covered = state.covered.reduce((sum, { bytes }) => sum + bytes, 0)
  return writeIndex(file, history, {
    kept,
    covered,
    tailSum: crc32(text),
    summary,
    listing: undefined,
    tips: undefined,
  })
}

/** Removes the indexes of other agents' sessions whose files are gone, or that are of no use. `dryRun` only counts. */
export function sweepForeignIndexes(home: string, dryRun: boolean): { files: number; bytes: number } {
  const swept = { files: 0, bytes: 0 }
  const cache = join(home, "cache")
  const folders =
    orNothing(() => readdirSync(cache, { withFileTypes: true }).filter((each) => each.isDirectory())) ?? []
  for (const { name: folder } of folders) {
    const names = orNothing(() => readdirSync(join(cache, folder))) ?? []
    for (const name of new Set(names.flatMap((each) => /^(.+\.index)(?:\.state)?$/.exec(each)?.[1] ?? []))) {
      const index = join(cache, folder, name)
      const text = orNothing(() => readFileSync(stateFile(index), "utf8"))
      const covered = text === undefined ? [] : (parseState(text)?.covered ?? [])
      if (covered.some(({ file }) => existsSync(file))) continue
      for (const file of [index, stateFile(index)]) {
        const stat = statSync(file, { throwIfNoEntry: false })
        if (stat === undefined) continue
        swept.files++
        swept.bytes += stat.size
        if (!dryRun) orNothing(() => rmSync(file, { force: true }))
      }
    }
  }
  return swept
}

function stateFile(file: string): string {
  return `${file}.state`
}

function parseState(text: string): IndexState | undefined {
  const json = parseJson(text)
  if (!json.ok || !isObject(json.value) || json.value.version !== VERSION) return undefined
  const { state, ours } = json.value
  const covered: unknown = json.value.covered
  if (!Array.isArray(covered) || state === undefined || typeof ours !== "number") return undefined
  if (!covered.every(isCovered)) return undefined
  return { covered, state, ours }
}

function isCovered(value: unknown): value is Covered {
  if (!isObject(value) || typeof value.file !== "string") return false
  return [value.number, value.bytes, value.sum, value.mtime].every((each) => typeof each === "number")
}
