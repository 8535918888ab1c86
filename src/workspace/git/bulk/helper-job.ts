// A job for two threads: a list of paths, of which each thread takes the next chunk from a counter that they share.
import type { MessagePort } from "node:worker_threads"
import type { Stat, StatRows } from "./stat-rows.ts"

/** `limit`: larger files are left to the main thread. */
export type HelperWork = { kind: "stat"; rows: StatRows } | { kind: "read"; limit: number }

/** `list`: the paths, separated by NULs. */
export type PathList = { list: string; count: number; prefix: string; next: Int32Array }

/** `answers`: of this job and no other. The helper closes it when it finds nothing left to take. */
export type HelperMessage = PathList & { work: HelperWork; answers: MessagePort }

/** A chunk of files that the helper read, with the bytes of all of them in pack format. */
export type ReadChunk = { start: number; files: (ReadFile | undefined)[]; raw: Uint8Array }

/** `length`: of its bytes in pack format. */
export type ReadFile = { stat: Stat; oid: string; length: number }

const CHUNK = 64
/** Far beyond any list, and far from where the counter would overflow. */
const BEYOND = 2 ** 30

export function pathList(root: string, paths: readonly string[]): PathList {
  const next = new Int32Array(new SharedArrayBuffer(4))
  return { list: paths.join("\0"), count: paths.length, prefix: `${root}/`, next }
}

/** Contract: over all threads, each number below `count` is in at most one chunk; in exactly one unless it is ended. */
export function* chunks({ next, count }: PathList): Generator<{ start: number; end: number }> {
  for (;;) {
    const start = Atomics.add(next, 0, 1) * CHUNK
    if (start >= count) return
    yield { start, end: Math.min(start + CHUNK, count) }
  }
}

/** From now on no thread finds a chunk to take. */
export function endChunks({ next }: PathList): void {
  Atomics.store(next, 0, BEYOND)
}
