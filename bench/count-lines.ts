// The minimum of any scan: reads a file in chunks and finds its newlines.
import { closeSync, openSync, readSync } from "node:fs"

const CHUNK = 1 << 20
const NEWLINE = 10

export function countLines(file: string): number {
  const fd = openSync(file, "r")
  const chunk = Buffer.allocUnsafe(CHUNK)
  let lines = 0
  for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
    const bytes = chunk.subarray(0, read)
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++
  }
  closeSync(fd)
  return lines
}
