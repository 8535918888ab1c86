// fdatasync, on the spot where the disk is quick, and on another thread where it is not.
import { fdatasync, fdatasyncSync } from "node:fs"
import { promisify } from "node:util"

const onThread = promisify(fdatasync)
/** What a screen does not notice. To go through a thread and back costs about a tenth of a millisecond. */
const QUICK_MS = 2
/** How many go through a thread after a slow one, before the disk is tried on the spot again. */
const CAREFUL = 64

let careful = 0

/** Resolves when what was written to the file survives a power cut. */
export function syncData(fd: number): Promise<void> {
  if (careful > 0) {
    careful--
    return onThread(fd)
  }
  try {
    const start = performance.now()
    fdatasyncSync(fd)
    if (performance.now() - start > QUICK_MS) careful = CAREFUL
    return Promise.resolve()
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)))
  }
}
