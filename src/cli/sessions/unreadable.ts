// Sessions that exist but cannot be opened: a newer format, an empty file, damage. Lists leave them out.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import type { UnreadablePlace } from "../../model/text/unreadable-words.ts"
import { directorySlug, sessionsFolder } from "../../store/file/disk/layout.ts"
import { errno, FORBIDDEN } from "../../store/file/disk/problems.ts"
import { sessionFiles, sessionFilesIn } from "../../store/file/folder/names.ts"
import { namesOf } from "../../store/file/folder/stat-if-there.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"

/** Those that `listed` does not have, of this directory or of all; newest first. */
export function unreadable(cli: Cli, listed: readonly SessionSummary[], where: "here" | "everywhere"): SessionId[] {
  const root = sessionsFolder(cli.home)
  const files = where === "here" ? sessionFilesIn(join(root, directorySlug(cli.cwd))) : sessionFiles(root)
  const known = new Set(listed.map(({ id }) => id))
  return files
    .map(({ id }) => id)
    .filter((id) => !known.has(id))
    .sort()
    .reverse()
}

/** Folders with retcon's own sessions, and what the last list could not read of other agents'. */
export function unreadablePlaces(cli: Cli): UnreadablePlace[] {
  const root = sessionsFolder(cli.home)
  const folders = [root, ...namesOf(root).map((name) => join(root, name))]
  const own = folders.filter(isForbidden).map((path) => ({ agent: "retcon", path }))
  return [...own, ...cli.store.foreign.unreadable()]
}

function isForbidden(folder: string): boolean {
  try {
    readdirSync(folder)
    return false
  } catch (error) {
    return FORBIDDEN.has(errno(error) ?? "")
  }
}

/** One line for a list; undefined if there is none. */
export function unreadableLine(ids: readonly SessionId[], all: string): string | undefined {
  return ids.length === 0
    ? undefined
    : `${count(ids.length, "session")} cannot be opened. See why with: retcon doctor${all}`
}

/** Why there is none to use: a newer version wrote it, or what `doctor` would say. */
export async function noneToUse(cli: Cli, ids: readonly SessionId[]): Promise<RetconError> {
  for (const id of ids) {
    try {
      await (await cli.store.open(id)).close()
    } catch (error) {
      if (error instanceof RetconError && error.code === "format-newer") return error
    }
  }
  return new RetconError({ code: "no-session", cwd: cli.cwd, found: [], unreadable: ids.length })
}
