// Whether a path is inside of an agent's own folders.
import { isAbsolute, relative, sep } from "node:path"

/** Whether a path is in one of the folders, by its words alone. */
export function isBelow(path: string, folders: readonly string[]): boolean {
  if (!isAbsolute(path) || path.includes("\0") || path.split(sep).includes("..")) return false
  return folders.some((folder) => {
    const inside = relative(folder, path)
    return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
  })
}
