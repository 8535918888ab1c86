// Sessions that exist but cannot be opened: a newer format, an empty file, damage. Lists leave them out.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionId } from "../../model/id.ts"
import type { UnreadablePlace } from "../../model/text/unreadable-words.ts"
import { directorySlug, sessionsFolder } from "../../store/file/disk/layout.ts"
import { errno, FORBIDDEN } from "../../store/file/disk/problems.ts"
import { sessionFiles, sessionFilesIn } from "../../store/file/folder/names.ts"
import { namesOf } from "../../store/file/folder/stat-if-there.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"

/** Those that `listed` does not have, of this directory or of all; newest first. */
export function unreadable(
  deps: AppDeps,
  listed: readonly SessionSummary[],
  where: "here" | "everywhere",
): SessionId[] {
  const root = sessionsFolder(deps.home)
  const files = where === "here" ? sessionFilesIn(join(root, directorySlug(deps.cwd))) : sessionFiles(root)
  const known = new Set(listed.map(({ id }) => id))
  return files
    .map(({ id }) => id)
    .filter((id) => !known.has(id))
    .sort()
    .reverse()
}

/** Folders with retcon's own sessions, and what the last list could not read of other agents'. */
export function unreadablePlaces(deps: AppDeps): UnreadablePlace[] {
  const root = sessionsFolder(deps.home)
  const folders = [root, ...namesOf(root).map((name) => join(root, name))]
  const own = folders.filter(isForbidden).map((path) => ({ agent: "retcon", path }))
  return [...own, ...deps.store.foreign.unreadable()]
}

function isForbidden(folder: string): boolean {
  try {
    readdirSync(folder)
    return false
  } catch (error) {
    return FORBIDDEN.has(errno(error) ?? "")
  }
}

/** Why there is none to use: a newer version wrote it, or what `doctor` would say. */
export async function noneToUse(deps: AppDeps, ids: readonly SessionId[]): Promise<RetconError> {
  for (const id of ids) {
    try {
      await (await deps.store.open(id)).close()
    } catch (error) {
      if (error instanceof RetconError && error.code === "format-newer") return error
    }
  }
  return new RetconError({ code: "no-session", cwd: deps.cwd, found: [], unreadable: ids.length })
}
