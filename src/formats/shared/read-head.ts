// Reads the first bytes of a path that may be anything: does not wait for a FIFO, and a folder is empty.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"

/** Up to `bytes` bytes from an offset; empty for anything unreadable or not a regular file. */
export function readHead(path: string, bytes = 64 * 1024, from = 0): Buffer {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && "code" in error) return Buffer.alloc(0)
    throw error
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return Buffer.alloc(0)
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(bytes, stat.size - from)))
    return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, from))
  } finally {
    closeSync(fd)
  }
}
