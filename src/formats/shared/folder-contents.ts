// Lists other agents' folders. A missing or unreadable folder counts as empty. Links are not followed.
import { type Dirent, readdirSync } from "node:fs"
import { join, sep } from "node:path"
import { EXHAUSTED } from "../../model/failure/errno-names.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { errno, readFailure } from "../../model/failure/system-failure.ts"

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
    return []
  }
}
