// Whether a path is inside one of an agent's own folders.
import { isAbsolute, relative, sep } from "node:path"

/** Compares the paths as text; does not follow links. */
export function isBelow(path: string, folders: readonly string[]): boolean {
  if (!isAbsolute(path) || path.includes("\0") || path.split(sep).includes("..")) return false
  return folders.some((folder) => {
    const inside = relative(folder, path)
    return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
  })
}
