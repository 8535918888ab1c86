// Reports when a file changes or another one replaces it. Only a hint: a caller that must be sure looks again.
import { existsSync, type FSWatcher, watch } from "node:fs"
import { dirname } from "node:path"
import { errno } from "../disk/problems.ts"

/**
 * Calls `listener` until the returned function is called, also after the file was away and has come back. Never calls it if the
 * system cannot watch files.
 */
export function watchFile(file: string, listener: () => void): () => void {
  let watcher: FSWatcher | undefined
  const changed = (event: string) => {
    if (event === "rename") arm()
    listener()
  }
  /** While it is away, its folder shows when it comes back. */
  const appeared = () => {
    if (!existsSync(file)) return
    arm()
    listener()
  }
  const arm = () => {
    watcher?.close()
    watcher = watcherOf(file, changed)
    if (watcher === undefined) {
      const folder = watcherOf(dirname(file), appeared)
      // It may have come back before its folder was watched.
      watcher = watcherOf(file, changed) ?? folder
      if (watcher !== folder) folder?.close()
    }
    watcher?.on("error", () => watcher?.close())
  }
  arm()
  return () => watcher?.close()
}

function watcherOf(file: string, listener: (event: string) => void): FSWatcher | undefined {
  try {
    return watch(file, { persistent: false }, listener)
  } catch (error) {
    if (errno(error) === undefined) throw error
    return undefined
  }
}
