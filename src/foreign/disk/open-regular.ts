// Opens other agents' files, read-only.
import { closeSync, constants, fstatSync, openSync } from "node:fs"
import { orNothing } from "../../store/file/disk/problems.ts"

/** Returns undefined for anything unreadable or not a regular file. Never blocks on a FIFO. */
export function openRegular(file: string): number | undefined {
  const fd = orNothing(() => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK))
  if (fd === undefined || fstatSync(fd).isFile()) return fd
  closeSync(fd)
  return undefined
}
