// Which sessions there are, by the names of their files alone: also those that cannot be opened.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { SessionId } from "../../model/id.ts"
import { idInName } from "./layout.ts"
import { errno } from "./problems.ts"

export interface SessionFile {
  id: SessionId
  file: string
}

/** Contract: `root` has a folder per directory, as `sessions/` and `trash/` do; none at all is no failure. */
export function sessionFiles(root: string): SessionFile[] {
  return namesIn(root).flatMap((folder) => sessionFilesIn(join(root, folder)))
}

/** Those of one directory. */
export function sessionFilesIn(folder: string): SessionFile[] {
  return namesIn(folder).flatMap((name) => {
    const id = idInName(name)
    return id === undefined ? [] : [{ id, file: join(folder, name) }]
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errno(error) === undefined) throw error
    return []
  }
}
