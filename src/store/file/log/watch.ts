// Reports when a file changes or another one replaces it. Only a hint: a caller that must be sure looks again.
import { type FSWatcher, watch } from "node:fs"
import { errno } from "../disk/problems.ts"

/** Calls `listener` until the returned function is called. Never calls it if the system cannot watch files. */
export function watchFile(file: string, listener: () => void): () => void {
  let watcher: FSWatcher | undefined
  const arm = () => {
    watcher?.close()
    watcher = watcherOf(file, (event) => {
      if (event === "rename") arm()
      listener()
    })
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
