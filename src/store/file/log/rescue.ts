// A process can still read a log that was deleted while open: it copies it to the trash.
import { appendFileSync, existsSync, fstatSync, readSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { homeOf, sessionsFolder, trashFolder } from "../disk/layout.ts"
import { ensureFolder, errno } from "../disk/problems.ts"

const COPY_BYTES = 1024 * 1024

export interface Rescue {
  /** Adds lines to the rescued log. Returns whether they are safe there; never throws because the machine fails. */
  keep(fd: number, lines: Uint8Array): boolean
}

/** Contract: a file is rescued only once; later lines are added to the copy. */
export function makeRescue(file: string): Rescue {
  let kept: string | undefined
  return {
    keep(fd, lines) {
      try {
        if (kept === undefined && fstatSync(fd).nlink > 0) return false
        kept ??= copied(fd, file)
        if (kept !== undefined) appendFileSync(kept, lines, { mode: 0o600, flag: "a" })
        return kept !== undefined
      } catch (error) {
        if (errno(error) === undefined) throw error
        return false
      }
    },
  }
}

/** Undefined for a log outside retcon's home, or if the trash already has one with this name. */
function copied(fd: number, file: string): string | undefined {
  const home = homeOf(file)
  if (home === undefined || !existsSync(sessionsFolder(home))) return undefined
  const place = join(trashFolder(home), basename(dirname(file)))
  const copy = join(place, basename(file))
  if (existsSync(copy)) return undefined
  ensureFolder(place)
  const buffer = Buffer.allocUnsafe(COPY_BYTES)
  for (let at = 0; ; ) {
    const bytes = readSync(fd, buffer, 0, buffer.length, at)
    if (bytes === 0) return copy
    appendFileSync(copy, buffer.subarray(0, bytes), { mode: 0o600 })
    at += bytes
  }
}
