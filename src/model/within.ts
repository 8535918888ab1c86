// Whether a path is in a folder, judging by their names.
import { sep } from "node:path"

/** Contract: both are absolute. A folder is within itself. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
