// What is at a path, for callers that can do without what is gone or forbidden. A failing disk, or a machine out of
// memory or file handles, is an error: it must not look like an empty folder.
import { readdirSync, type Stats, statSync } from "node:fs"
import { EXHAUSTED } from "../../../model/failure/failure.ts"
import { errno, FORBIDDEN } from "../disk/problems.ts"

/** Undefined if it is gone or cannot be reached. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (!isPassedOver(error)) throw error
    return undefined
  }
}

/** None if it is gone, is not a folder, or cannot be read. */
export function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (!isPassedOver(error)) throw error
    return []
  }
}

const PASSED_OVER: ReadonlySet<string> = new Set([...FORBIDDEN, "ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"])

function isPassedOver(error: unknown): boolean {
  return PASSED_OVER.has(errno(error) ?? "")
}

/** Whether the file itself is why it could not be opened, and not a machine that has run out of something. */
export function isItsOwnFault({ cause }: Error): boolean {
  return !EXHAUSTED.has(errno(cause) ?? "")
}
