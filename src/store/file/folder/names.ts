// Which sessions there are, by their file names alone, including those that cannot be opened.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { SessionId } from "../../../model/id.ts"
import { idInName } from "../disk/layout.ts"
import { attemptRead, errno } from "../disk/problems.ts"
import { namesOf } from "./stat-if-there.ts"

export interface SessionFile {
  id: SessionId
  file: string
}

/** Contract: `root` has a folder per directory, as `sessions/` and `trash/` do. Skips what cannot be read. */
export function sessionFiles(root: string): SessionFile[] {
  return namesOf(root).flatMap((folder) => inFolder(join(root, folder), namesOf))
}

/** The same, for callers that delete what no session names. Contract: throws if a folder cannot be read. */
export function allSessionFiles(root: string): SessionFile[] {
  return namesIn(root).flatMap((folder) => inFolder(join(root, folder), namesIn))
}

/** Those of one directory. Contract: throws if its folder cannot be read; a missing folder is not a failure. */
export function sessionFilesIn(folder: string): SessionFile[] {
  return inFolder(folder, namesIn)
}

function inFolder(folder: string, list: (folder: string) => string[]): SessionFile[] {
  return list(folder).flatMap((name) => {
    const id = idInName(name)
    return id === undefined ? [] : [{ id, file: join(folder, name) }]
  })
}

function namesIn(folder: string): string[] {
  return attemptRead(folder, () => {
    try {
      return readdirSync(folder)
    } catch (error) {
      if (errno(error) === "ENOENT" || errno(error) === "ENOTDIR") return []
      throw error
    }
  })
}
