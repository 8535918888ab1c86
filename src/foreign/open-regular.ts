// Files of other agents are opened for reading only.
import { closeSync, constants, fstatSync, openSync } from "node:fs"
import { orNothing } from "../store/file/disk/problems.ts"

/** Never blocks on a FIFO, and answers nothing for what is not a regular file, or cannot be read. */
export function openRegular(file: string): number | undefined {
  const fd = orNothing(() => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK))
  if (fd === undefined || fstatSync(fd).isFile()) return fd
  closeSync(fd)
  return undefined
}
