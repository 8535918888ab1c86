// fdatasync, away from the main thread: a slow disk must not freeze the screen.
import { fdatasync } from "node:fs"
import { promisify } from "node:util"

/** Resolves when what was written to the file survives a power cut. */
export const syncData: (fd: number) => Promise<void> = promisify(fdatasync)
