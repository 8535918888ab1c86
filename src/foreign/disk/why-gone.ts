// Whether an agent's own file can still be used.
import { closeSync, constants, lstatSync, openSync } from "node:fs"
import { EXHAUSTED } from "../../model/failure/failure.ts"
import type { GoneAs } from "../../model/text/gone-words.ts"
import { errno, FORBIDDEN } from "../../store/file/disk/problems.ts"

/** Why the original of a copy cannot be used; undefined if it can. Throws if the machine cannot say. */
export function whyGone(path: string): "removed" | GoneAs | undefined {
  try {
    if (lstatSync(path).size === 0) return "emptied"
    closeSync(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW))
    return undefined
  } catch (error) {
    if (isNotThere(error)) return "removed"
    if (EXHAUSTED.has(errno(error) ?? "")) throw error
    return FORBIDDEN.has(errno(error) ?? "") ? "unreadable" : undefined
  }
}

/** A file that we may not stat does not count as missing. */
export function isMissing(path: string): boolean {
  try {
    lstatSync(path)
    return false
  } catch (error) {
    return isNotThere(error)
  }
}

function isNotThere(error: unknown): boolean {
  return errno(error) === "ENOENT" || errno(error) === "ENOTDIR"
}
