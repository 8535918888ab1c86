// Restores a session that its agent has lost, from our copy. Never replaces a file unless it is empty.
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import type { Format, SessionPlace } from "../../formats/port.ts"
import { attempt, attemptRead, ensureFolder, errno, orNothing } from "../../store/file/disk/problems.ts"
import { temporaryBeside } from "../../store/file/disk/temporary-beside.ts"
import { isMissing, whyGone } from "../disk/why-gone.ts"
import { filesOf, originalOf } from "./kept-paths.ts"

export type RestoredSession =
  | { outcome: "restored"; files: string[]; resume: string[] }
  /** Only the agent's own program can import it, with this command. Nothing was written. */
  | { outcome: "take-in"; command: string[]; resume: string[] }
  /** It is still there, in a file or in a database with others, or cannot be examined. Nothing was written. */
  | { outcome: "refused"; because: "there" | "in-database" | "unreadable"; file: string }

/** `place`: that of the copy, below `folder`. `present`: the agent has a session with this name, which has gone on without it. */
export function restoreKept(
  format: Format,
  place: SessionPlace,
  { name, folder, present }: { name: string; folder: string; present: boolean },
): RestoredSession {
  const main = originalOf(folder, place.main)
  const again = present ? asNew(format, place, folder) : { place, name }
  const command = format.takeIn?.(again.place)
  if (command !== undefined) return { outcome: "take-in", command, resume: format.resume(again.place, again.name) }
  const why = whyGone(main)
  if (why === "unreadable") return { outcome: "refused", because: "unreadable", file: main }
  if (why === undefined) return { outcome: "refused", because: "there", file: main }
  const files: string[] = []
  for (const copy of filesOf(format, place)) {
    const file = originalOf(folder, copy)
    const state = whyGone(file)
    if (state === "unreadable" && file === main) return { outcome: "refused", because: "unreadable", file: main }
    if (isMissing(copy) || (state !== "removed" && state !== "emptied")) continue
    if (putBack(copy, file)) files.push(file)
    else if (file === main) return { outcome: "refused", because: "there", file: main }
  }
  const path = originalOf(folder, place.path)
  return { outcome: "restored", files, resume: format.resume({ ...place, path, main }, name) }
}

/** A copy under other ids, beside the copies, for its program to import. */
function asNew(format: Format, place: SessionPlace, folder: string): { place: SessionPlace; name: string } {
  const renamed = format.underOtherIds?.(attemptRead(place.path, () => readFileSync(place.path)))
  if (renamed === undefined) return { place, name: "" }
  const path = join(folder, "to-import", `${renamed.name}.json`)
  ensureFolder(dirname(path))
  attempt(path, () => {
    const temporary = temporaryBeside(path)
    writeFileSync(temporary, renamed.bytes, { mode: 0o600 })
    renameSync(temporary, path)
  })
  return { place: { path, main: path }, name: renamed.name }
}

/** Complete or not at all, and with the present time, because agents delete old files. False if another process got there first. */
function putBack(copy: string, file: string): boolean {
  const temporary = temporaryBeside(file)
  return attempt(file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(temporary, { force: true })
    try {
      copyFileSync(copy, temporary, constants.COPYFILE_EXCL)
      syncFile(temporary)
      if (!takeEmptyAway(file)) return false
      linkSync(temporary, file)
      return true
    } catch (error) {
      if (errno(error) === "EEXIST") return false
      throw error
    } finally {
      orNothing(() => rmSync(temporary, { force: true }))
    }
  })
}

function syncFile(file: string): void {
  const fd = openSync(file, "r+")
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Moves an empty file out of the way. False if the file is not empty; it then stays, even if it was written this very moment. */
function takeEmptyAway(file: string): boolean {
  if (isMissing(file)) return true
  const aside = temporaryBeside(`${file}.empty`)
  renameSync(file, aside)
  const { size } = lstatSync(aside)
  if (size > 0) linkSync(aside, file)
  orNothing(() => rmSync(aside))
  return size === 0
}
