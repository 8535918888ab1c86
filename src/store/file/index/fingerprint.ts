// Distinguishes logs of the same length: by the end, and by the beginning of the last line, which includes an id.
import { crc32 } from "node:zlib"
import { readAt } from "../disk/read-at.ts"

const BEGIN_BYTES = 128
const END_BYTES = 256
/** Up to this length, everything is read at once. */
const WHOLE_BYTES = 1024

/** The fingerprint of the log up to `end`; its last line begins at `line`. */
export function fingerprint(fd: number, line: number, end: number): number {
  const from = Math.min(line, Math.max(0, end - END_BYTES))
  if (end - from <= WHOLE_BYTES) return crc32(readAt(fd, from, end - from))
  return crc32(readAt(fd, end - END_BYTES, END_BYTES), crc32(readAt(fd, from, BEGIN_BYTES)))
}

/** Whether a log of this size begins with what an index was made from. `last`: where the last indexed line begins. */
export function logFits(fd: number, size: number) {
  return ({ covered, tailSum }: { covered: number; tailSum: number }, last: number): boolean =>
    covered <= size && fingerprint(fd, last, covered) === tailSum
}
