// Gives an agent back a session that it has no more, from our copy. A file that is there is never replaced.
import { closeSync, constants, copyFileSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import type { Format, SessionPlace } from "../formats/port.ts"
import { attempt, errno } from "../store/file/disk/problems.ts"
import { isMissing } from "./gone.ts"
import { filesOf, originalOf } from "./kept-paths.ts"

export type RestoredSession =
  | { outcome: "restored"; files: string[]; resume: string[] }
  /** Its file is there: nothing was written. */
  | { outcome: "refused"; file: string }

/** `place`: of the copy, which is below `folder`. */
export function restoreKept(format: Format, place: SessionPlace, name: string, folder: string): RestoredSession {
  const main = originalOf(folder, place.main)
  if (!isMissing(main)) return { outcome: "refused", file: main }
  const files: string[] = []
  for (const copy of filesOf(format, place)) {
    const file = originalOf(folder, copy)
    if (isMissing(copy) || !isMissing(file)) continue
    if (putBack(copy, file)) files.push(file)
    else if (file === main) return { outcome: "refused", file: main }
  }
  const path = originalOf(folder, place.path)
  return { outcome: "restored", files, resume: format.resume({ ...place, path, main }, name) }
}

/** Whole or not at all, and as new: agents remove what is old. False: somebody else was faster. */
function putBack(copy: string, file: string): boolean {
  const temporary = `${file}.retcon-${process.pid}.tmp`
  return attempt(file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(temporary, { force: true })
    try {
      copyFileSync(copy, temporary, constants.COPYFILE_EXCL)
      const fd = openSync(temporary, "r+")
      fsyncSync(fd)
      closeSync(fd)
      linkSync(temporary, file)
      return true
    } catch (error) {
      if (errno(error) === "EEXIST") return false
      throw error
    } finally {
      rmSync(temporary, { force: true })
    }
  })
}
