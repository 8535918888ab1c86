// The lines of a file, one at a time; memory is bounded for lines of ordinary length.
import { closeSync, openSync, readSync } from "node:fs"

const CHUNK = 1024 * 1024
const NEWLINE = 10

export function* readLines(file: string): Generator<Buffer> {
  const fd = openSync(file, "r")
  try {
    let rest = Buffer.alloc(0)
    for (let offset = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK)
      const read = readSync(fd, chunk, 0, CHUNK, offset)
      if (read === 0) break
      offset += read
      let bytes = Buffer.concat([rest, chunk.subarray(0, read)])
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE)) {
        yield bytes.subarray(0, end)
        bytes = bytes.subarray(end + 1)
      }
      rest = bytes
    }
    if (rest.length > 0) yield rest
  } finally {
    closeSync(fd)
  }
}
