// Restores sessions from the trash. The store's `remove` puts them there.
import { existsSync, renameSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { SessionId } from "../../../model/id.ts"
import { indexFile, sessionsFolder, trashFolder } from "../disk/layout.ts"
import { attempt, ensureFolder } from "../disk/problems.ts"
import { type SessionFile, sessionFiles } from "./names.ts"

export function trashed(home: string): SessionFile[] {
  return sessionFiles(trashFolder(home))
}

/** Contract: the session is back where it was; on a RetconError nothing has changed. Returns its file. */
export function bringBack(home: string, id: SessionId): string {
  const found = trashed(home).find((each) => each.id === id)
  if (found === undefined) throw new RetconError({ code: "not-found", what: "session", name: id })
  const file = join(sessionsFolder(home), basename(dirname(found.file)), basename(found.file))
  if (existsSync(file)) throw new RetconError({ code: "exists", path: file })
  attempt(file, () => {
    ensureFolder(dirname(file))
    renameSync(found.file, file)
  })
  const index = indexFile(found.file)
  if (existsSync(index)) attempt(index, () => renameSync(index, indexFile(file)))
  return file
}
