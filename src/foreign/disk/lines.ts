// Reads the lines of a file between two offsets. Memory grows with the longest line, not with the file.
import { readSync } from "node:fs"
import { parseJson } from "../../model/json.ts"
import { LONGEST_LINE } from "../../model/record/facts.ts"

/** Small enough to stay in a core's cache while its lines are read. */
const CHUNK = 256 * 1024
const NEWLINE = 10
const RETURN = 13
const OPEN = 123
const CLOSE = 125

export interface LineVisitor {
  /** `offset`: where the line starts in the file. */
  line(bytes: Buffer, start: number, end: number, offset: number): void
  /** A line that is too long to read. */
  tooLong(offset: number, length: number): void
}

/**
 * Passes every complete line except blank ones to `visitor`, and returns the offset it reached. An unterminated last line counts
 * as complete if it is a whole JSON object, because no append can change that.
 * Contract: bytes before `size` do not change while this runs.
 */
export function readLines(read: ReadBytes, from: number, size: number, visitor: LineVisitor): number {
  let buffer = Buffer.allocUnsafe(Math.min(CHUNK, size - from + 1))
  let base = from
  let filled = 0
  while (base + filled < size) {
    const count = read(buffer, filled, Math.min(buffer.length - filled, size - base - filled), base + filled)
    if (count === 0) break
    const searched = filled
    filled += count
    const start = passLines(buffer, searched, filled, base, visitor)
    if (start === 0 && filled === buffer.length) {
      if (buffer.length > LONGEST_LINE) {
        const end = skipLine(read, base + filled, size, buffer)
        if (end === undefined) return base
        visitor.tooLong(base, end - base)
        base = end + 1
        filled = 0
        continue
      }
      const longer = Buffer.allocUnsafe(buffer.length * 2)
      buffer.copy(longer, 0, 0, filled)
      buffer = longer
      continue
    }
    buffer.copyWithin(0, start, filled)
    base += start
    filled -= start
  }
  if (filled === 0 || !isWhole(buffer, filled)) return base
  visitor.line(buffer, 0, filled, base)
  return base + filled
}

/** Fills `bytes` starting at `at`; returns how many bytes it read. */
export type ReadBytes = (bytes: Buffer, at: number, length: number, offset: number) => number

export function readFrom(fd: number): ReadBytes {
  return (bytes, at, length, offset) => readSync(fd, bytes, at, length, offset)
}

export function readFromBytes(all: Buffer): ReadBytes {
  return (bytes, at, length, offset) => all.copy(bytes, at, offset, offset + length)
}

/** Passes on the lines that end in the buffer; returns where the next one starts. There is no newline before `searched`. */
function passLines(buffer: Buffer, searched: number, filled: number, base: number, visitor: LineVisitor): number {
  let start = 0
  let look = searched
  for (;;) {
    const newline = buffer.indexOf(NEWLINE, look)
    if (newline === -1 || newline >= filled) return start
    const end = newline > start && buffer[newline - 1] === RETURN ? newline - 1 : newline
    if (end > start) visitor.line(buffer, start, end, base + start)
    start = newline + 1
    look = start
  }
}

/** Where a line that is too long to keep ends; undefined if it is unterminated. */
function skipLine(read: ReadBytes, from: number, size: number, buffer: Buffer): number | undefined {
  for (let at = from; at < size; ) {
    const count = read(buffer, 0, Math.min(buffer.length, size - at), at)
    if (count === 0) return undefined
    const newline = buffer.subarray(0, count).indexOf(NEWLINE)
    if (newline !== -1) return at + newline
    at += count
  }
  return undefined
}

function isWhole(buffer: Buffer, length: number): boolean {
  return buffer[0] === OPEN && buffer[length - 1] === CLOSE && parseJson(buffer.toString("utf8", 0, length)).ok
}
