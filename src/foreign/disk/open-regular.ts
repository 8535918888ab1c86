// Opens other agents' files, read-only.
import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs"
import { orNothing } from "../../store/file/disk/problems.ts"

/** Returns undefined for anything unreadable or not a regular file. Never blocks on a FIFO. */
export function openRegular(file: string): { fd: number; stat: Stats } | undefined {
  const fd = orNothing(() => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK))
  if (fd === undefined) return undefined
  let stat: Stats | undefined
  try {
    stat = fstatSync(fd)
  } finally {
    if (stat?.isFile() !== true) closeSync(fd)
  }
  return stat.isFile() ? { fd, stat } : undefined
}
