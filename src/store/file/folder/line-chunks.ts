// The lines of a file, many at a time: as bytes, which whoever looks for something in them need not decode.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { LONGEST_LINE } from "../../../model/record/facts.ts"
import { attemptRead } from "../disk/problems.ts"

/** Reads into `bytes` from `at` on; returns how many bytes. */
export type ReadInto = (bytes: Buffer, at: number, length: number, offset: number) => number

/** Whole lines. Contract: valid until the next chunk is read. */
export interface LineChunk {
  bytes: Buffer
  /** Where they begin in the file. */
  offset: number
  /** How many bytes of the file have been read so far. */
  read: number
}

/** V8 has memory ready for a string of this length; for one twice as long, the system would map memory each time. */
const CHUNK = 120 * 1024
const NEWLINE = 10

/** The lines that begin from `from` on and before `to`. Contract: leaves out lines that are longer than any reader accepts. */
export function* lineChunks(
  read: ReadInto,
  { size, from = 0, to = size }: { size: number; from?: number; to?: number },
): Generator<LineChunk> {
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(CHUNK, size + 1))
  let filled = 0
  // If the byte before is a newline, a line begins here; otherwise it began earlier.
  let at = Math.max(0, from - 1)
  let skipping = from > 0
  while (at < size && at - filled < to) {
    const count = read(buffer, filled, Math.min(buffer.length - filled, size - at), at)
    if (count === 0) break
    at += count
    filled += count
    const bytes = buffer.subarray(0, filled)
    const end = at >= size ? filled : bytes.lastIndexOf(NEWLINE) + 1
    if (end === 0) {
      if (filled < buffer.length) continue
      // The line is longer than the buffer: use a larger one, or skip the line if it is too long for any reader.
      if (skipping || buffer.length >= LONGEST_LINE) [skipping, filled] = [true, 0]
      else buffer = grown(buffer, filled)
      continue
    }
    const base = at - filled
    const start = skipping ? bytes.indexOf(NEWLINE) + 1 || end : 0
    skipping = false
    const stop = base + end > to ? bytes.indexOf(NEWLINE, Math.max(0, to - 1 - base)) + 1 || end : end
    yield { bytes: bytes.subarray(start, Math.max(start, stop)), offset: base + start, read: at }
    if (stop < end) break
    buffer.copyWithin(0, end, filled)
    filled -= end
  }
}

function grown(buffer: Buffer, filled: number): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length * 4)
  buffer.copy(larger, 0, 0, filled)
  return larger
}

/** The lines of a file that match, on their bytes. Contract: `pattern` is global; valid until the next chunk is read. */
export function* linesWith(file: string, pattern: RegExp): Generator<{ read: number; lines: Buffer[] }> {
  const fd = attemptRead(file, () => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK))
  try {
    const read: ReadInto = (bytes, at, length, offset) =>
      attemptRead(file, () => readSync(fd, bytes, at, length, offset))
    for (const chunk of lineChunks(read, { size: fstatSync(fd).size })) {
      const { bytes } = chunk
      const text = bytes.toString("latin1")
      const lines: Buffer[] = []
      pattern.lastIndex = 0
      for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
        const start = text.lastIndexOf("\n", match.index) + 1
        const newline = text.indexOf("\n", match.index)
        const end = newline === -1 ? text.length : newline
        lines.push(bytes.subarray(start, end))
        pattern.lastIndex = end
      }
      yield { read: chunk.read, lines }
    }
  } finally {
    closeSync(fd)
  }
}
