// Reads many files, on this thread and the helper thread together. For first snapshots and mass changes: the helper
// reads, hashes and compresses; what it could not read is left to the main thread.

import { isEscaped } from "../../../model/text/path-bytes.ts"
import { chunks, newCounter } from "./chunks.ts"
import type { ReadChunk } from "./helper-job.ts"
import type { HelperThread } from "./helper-thread.ts"
import type { Stat } from "./stat-rows.ts"
import { newRows, rowAt } from "./stat-rows.ts"

export type HelpedFile = { stat: Stat; oid: string; raw: Buffer }
export type ReadMany = {
  helper: HelperThread
  root: string
  paths: string[]
  limit: number
  breathe: () => Promise<void> | undefined
  /** Reads and stores one file on this thread. */
  read: (i: number) => void
  /** Stores one file that the helper read. */
  take: (i: number, file: HelpedFile) => void
}

/** Contract: each path is read or taken exactly once, in any order. */
export async function readMany({ helper, root, paths, limit, breathe, read, take }: ReadMany): Promise<void> {
  const rows = newRows(paths.length)
  const next = newCounter()
  const done = new Uint8Array(paths.length)
  const accept = ({ start, oids, lengths, raw }: ReadChunk) => {
    const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
    let at = 0
    oids.forEach((oid, i) => {
      const length = lengths[i] as number
      if (oid !== "" && !isEscaped(paths[start + i] as string)) {
        take(start + i, { stat: rowAt(rows, start + i), oid, raw: bytes.subarray(at, at + length) })
        done[start + i] = 1
      }
      at += length
    })
  }
  const list = paths.join("\0")
  const job = { kind: "read" as const, list, count: paths.length, prefix: `${root}/`, next, rows, limit }
  // Worth it even if the helper has to start first.
  helper.isReady()
  const helped = helper.run(job, accept)
  for (const { start, end } of chunks(next, paths.length)) {
    for (let i = start; i < end; i++) {
      read(i)
      done[i] = 1
    }
    const pause = breathe()
    if (pause !== undefined) await pause
  }
  await helped
  // What the helper could not read, or lost when it died.
  for (let i = 0; i < paths.length; i++) if (done[i] === 0) read(i)
}
