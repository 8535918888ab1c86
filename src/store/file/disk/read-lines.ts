// The lines of a file, one at a time; memory is bounded for lines of ordinary length.
import { closeSync, openSync, readSync } from "node:fs"

const CHUNK = 1024 * 1024
const NEWLINE = 10

export function* readLines(file: string): Generator<Buffer> {
  const fd = openSync(file, "r")
  try {
    /** The line that has not ended yet, in pieces: joined once, so that a long one takes no longer than its length. */
    let pieces: Buffer[] = []
    for (let offset = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK)
      const read = readSync(fd, chunk, 0, CHUNK, offset)
      if (read === 0) break
      offset += read
      let bytes = chunk.subarray(0, read)
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE)) {
        const last = bytes.subarray(0, end)
        yield pieces.length === 0 ? last : Buffer.concat([...pieces, last])
        pieces = []
        bytes = bytes.subarray(end + 1)
      }
      if (bytes.length > 0) pieces.push(bytes)
    }
    if (pieces.length > 0) yield Buffer.concat(pieces)
  } finally {
    closeSync(fd)
  }
}
