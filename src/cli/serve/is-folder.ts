// Whether an agent could work in a folder.
import { stat } from "node:fs/promises"
import { isAbsolute } from "node:path"

/** Contract: never rejects; false unless the path is absolute and names an existing folder. */
export async function isFolder(path: string): Promise<boolean> {
  return isAbsolute(path) && (await stat(path).catch(() => undefined))?.isDirectory() === true
}
