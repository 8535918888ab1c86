// Reading at an offset, repeated until all bytes are there.
import { readSync } from "node:fs"

/** Reads `length` bytes from `offset` on into `bytes`; returns how many, fewer only at the end of the file. */
export function readInto(fd: number, bytes: Uint8Array, length: number, offset: number): number {
  let filled = 0
  while (filled < length) {
    const read = readSync(fd, bytes, filled, length - filled, offset + filled)
    if (read === 0) return filled
    filled += read
  }
  return filled
}

/** The bytes at `offset`; fewer than `length` only at the end of the file. */
export function readAt(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  const filled = readInto(fd, bytes, length, offset)
  return filled === length ? bytes : bytes.subarray(0, filled)
}
