// Names in folders of other agents. A folder that is not there, or may not be read, is empty. Links are not followed.
import { type Dirent, readdirSync } from "node:fs"
import { join } from "node:path"

/** Paths of the sub-folders, sorted. */
export function foldersIn(folder: string): string[] {
  return entriesOf(folder, (entry) => entry.isDirectory())
}

/** Paths of the files whose name ends so, sorted. */
export function filesIn(folder: string, ending: string): string[] {
  return entriesOf(folder, (entry) => entry.isFile() && entry.name.endsWith(ending))
}

function entriesOf(folder: string, wanted: (entry: Dirent) => boolean): string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && "code" in error) return []
    throw error
  }
  return entries
    .filter(wanted)
    .map(({ name }) => join(folder, name))
    .sort()
}
