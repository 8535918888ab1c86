// Lists other agents' folders. A missing folder counts as empty; one that may not be read is noted. Links are not followed.
import { closeSync, type Dirent, openSync, readdirSync } from "node:fs"
import { join, sep } from "node:path"
import { EXHAUSTED, FORBIDDEN } from "../../model/failure/failure.ts"
import { errno, RetconError } from "../../model/failure/retcon-error.ts"
import { readFailure } from "../../model/failure/system-failure.ts"

/** The folders that may not be read, while somebody listens. */
let forbidden: Set<string> | undefined

/**
 * Lists folders, and says which of them may not be read: they look empty, but perhaps are not. Contract: `list` is synchronous
 * and consumes what it lists.
 */
export function lookInto<Value>(list: () => Value): { value: Value; forbidden: string[] } {
  const before = forbidden
  const noted = new Set<string>()
  forbidden = noted
  try {
    const value = list()
    return { value, forbidden: [...noted] }
  } finally {
    forbidden = before
  }
}

/** Notes a file, such as a database, if it may not be read. */
export function noteIfForbidden(path: string): void {
  try {
    closeSync(openSync(path, "r"))
  } catch (error) {
    if (FORBIDDEN.has(errno(error) ?? "")) forbidden?.add(path)
  }
}

/** Paths of the sub-folders, sorted. */
export function foldersIn(folder: string): string[] {
  return pathsOf(folder, foldersAmong(entriesOf(folder)))
}

/** Paths of the files with this ending, sorted. */
export function filesIn(folder: string, ending: string): string[] {
  return pathsOf(folder, filesAmong(entriesOf(folder), ending))
}

/** Both in one pass, for folders with very many files. */
export function contentsOf(folder: string, ending: string): { files: string[]; folders: string[] } {
  const entries = entriesOf(folder)
  return { files: pathsOf(folder, filesAmong(entries, ending)), folders: pathsOf(folder, foldersAmong(entries)) }
}

function foldersAmong(entries: readonly Dirent[]): Dirent[] {
  return entries.filter((entry) => entry.isDirectory())
}

function filesAmong(entries: readonly Dirent[], ending: string): Dirent[] {
  return entries.filter((entry) => entry.isFile() && entry.name.endsWith(ending))
}

/** Plain concatenation, which is faster than `join`: names contain no separators. */
function pathsOf(folder: string, entries: readonly Dirent[]): string[] {
  const beginning = join(folder, sep)
  return entries.map(({ name }) => beginning + name).sort()
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const code = errno(error)
    // A failing disk, or a machine out of file handles, must not look like an empty folder.
    if (code === undefined) throw error
    if (EXHAUSTED.has(code)) throw new RetconError(readFailure(error, folder), { cause: error })
    if (FORBIDDEN.has(code)) forbidden?.add(folder)
    return []
  }
}
