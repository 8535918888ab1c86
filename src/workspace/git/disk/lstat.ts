// What is at a path, without following a link.
import fs, { type Stats } from "node:fs"
import { errno } from "../../../model/failure/errno.ts"

/** Undefined: nothing is there, a folder on the way is a file, or the path is longer than any that can be used. */
export function lstat(path: string | Buffer): Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    const code = errno(error)
    if (code === "ENOTDIR" || code === "ELOOP" || code === "ENAMETOOLONG") return undefined
    throw error
  }
}
