// Reads many files, on this thread and the helper thread together. For first snapshots and mass changes: the helper
// reads, hashes and compresses; what it could not read is left to the main thread.
import { isEscaped } from "../../../model/text/path-bytes.ts"
import { chunks, pathList, type ReadChunk, type ReadFile } from "./helper-job.ts"
import type { HelperThread } from "./helper-thread.ts"

export type ReadMany = {
  helper: HelperThread
  root: string
  paths: string[]
  limit: number
  breathe: () => Promise<void> | undefined
  /** Reads and stores one file on this thread. */
  read: (i: number) => void
  /** Stores one file that the helper read. */
  take: (i: number, file: ReadFile, raw: Buffer) => void
}

/**
 * Contract: each path is read or taken exactly once, in any order. If one cannot be, throws, and neither thread works on
 * any of them any longer.
 */
export async function readMany({ helper, root, paths, limit, breathe, read, take }: ReadMany): Promise<void> {
  const done = new Uint8Array(paths.length)
  const takeAll = ({ start, files, raw }: ReadChunk) => {
    const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
    let at = 0
    files.forEach((file, i) => {
      if (file === undefined) return
      // What such a name leads to as text is another file.
      if (!isEscaped(paths[start + i] as string)) {
        take(start + i, file, bytes.subarray(at, at + file.length))
        done[start + i] = 1
      }
      at += file.length
    })
  }
  const list = pathList(root, paths)
  // Worth it even if the helper has to start first.
  helper.isReady()
  await using job = helper.start(list, { kind: "read", limit })
  for (const { start, end } of chunks(list)) {
    for (let i = start; i < end; i++) {
      read(i)
      done[i] = 1
    }
    job.arrived().forEach(takeAll)
    const pause = breathe()
    if (pause !== undefined) await pause
  }
  await job.ended
  job.arrived().forEach(takeAll)
  // What the helper could not read, or lost when it died.
  for (let i = 0; i < paths.length; i++) if (done[i] === 0) read(i)
}
