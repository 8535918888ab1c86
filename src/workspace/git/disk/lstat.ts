// What is at a path, without following a link.

import fs, { type Stats } from "node:fs"

/** Undefined: nothing is there, or a folder on the way is a file. */
export function lstat(path: string | Buffer): Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === "ENOTDIR" || code === "ELOOP") return undefined
    throw error
  }
}
