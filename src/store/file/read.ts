// Reading at an offset, whole or not at all.
import { readSync } from "node:fs"

/** The bytes at `offset`; fewer than `length` only at the end of the file. */
export function readAt(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const read = readSync(fd, bytes, filled, length - filled, offset + filled)
    if (read === 0) return bytes.subarray(0, filled)
    filled += read
  }
  return bytes
}
