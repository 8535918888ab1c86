// What tells a log from another of the same length: how it ends, and what its last line begins with, which holds an id.
import { crc32 } from "node:zlib"
import { readAt } from "../disk/read-at.ts"

const BEGIN_BYTES = 128
const END_BYTES = 256
/** Up to this many bytes are read at once. */
const WHOLE_BYTES = 1024

/** Of the log up to `end`, whose last line begins at `line`. */
export function fingerprint(fd: number, line: number, end: number): number {
  const from = Math.min(line, Math.max(0, end - END_BYTES))
  if (end - from <= WHOLE_BYTES) return crc32(readAt(fd, from, end - from))
  return crc32(readAt(fd, end - END_BYTES, END_BYTES), crc32(readAt(fd, from, BEGIN_BYTES)))
}

/** Whether a log of this size begins with what an index was made from. `last`: where the index's last line begins. */
export function logFits(fd: number, size: number) {
  return ({ covered, tailSum }: { covered: number; tailSum: number }, last: number): boolean =>
    covered <= size && fingerprint(fd, last, covered) === tailSum
}
