// Reads a log from one offset to another and adds a row per line. Memory does not grow with a line's length.
import { readSync } from "node:fs"
import { replay } from "../../../history/rows/replay.ts"
import type { Rows } from "../../../history/rows/rows.ts"
import {
  bareFacts,
  emptyFacts,
  FACTS_PREFIX,
  type Facts,
  LONGEST_LINE,
  quickFacts,
  slowFacts,
} from "../../../model/record/facts.ts"
import { KIND } from "../../../model/record/record.ts"
import { readAt } from "../disk/read-at.ts"
import { type OpenTail, openTail } from "./torn-line.ts"

const CHUNK = 1024 * 1024
const NEWLINE = 10
const RETURN = 13

export interface Scanned {
  /** Every line up to here ended with a newline. */
  end: number
  tail: OpenTail | undefined
}

/** Contract: bytes before `size` do not change while this runs; what is appended meanwhile is left for later. */
export function scan(fd: number, rows: Rows, from: number, size: number): Scanned {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size - from + 1))
  const facts = emptyFacts()
  let base = from
  let filled = 0
  /** Set while a line is longer than the buffer. */
  let long: LongLine | undefined
  while (base + filled < size) {
    const read = readSync(fd, buffer, filled, Math.min(buffer.length - filled, size - base - filled), base + filled)
    if (read === 0) break
    filled += read
    const atEnd = base + filled >= size
    let start = 0
    if (long !== undefined) {
      const newline = lineEnd(buffer, 0, filled, atEnd)
      if (newline !== -1) {
        addLong(fd, rows, facts, long, base + newline, buffer[newline - 1] ?? 0, isSealed(buffer, newline, filled))
        long = undefined
        start = newline + 1
      }
    }
    if (long === undefined) start = addLines(rows, facts, buffer, start, filled, base, atEnd)
    if (start === 0 && filled === buffer.length && !atEnd) {
      long ??= { offset: base, prefix: Buffer.from(buffer.subarray(0, FACTS_PREFIX)) }
      // The last bytes stay, so that a line's last byte is available if the next chunk begins with its newline.
      start = filled - 2
    }
    buffer.copyWithin(0, start, filled)
    base += start
    filled -= start
  }
  const end = long?.offset ?? base
  return { end, tail: end < size ? openTail(fd, rows, end, size) : undefined }
}

/**
 * Where the line ends, or -1. The byte after it says whether it was sealed; if it is missing, the next chunk decides.
 */
function lineEnd(buffer: Buffer, start: number, filled: number, atEnd: boolean): number {
  const newline = buffer.indexOf(NEWLINE, start)
  return newline >= filled || (newline === filled - 1 && !atEnd) ? -1 : newline
}

function isSealed(buffer: Buffer, newline: number, filled: number): boolean {
  return newline + 1 < filled && buffer[newline + 1] === NEWLINE
}

/** Adds the lines that end in the buffer; returns where the next one starts. */
function addLines(
  rows: Rows,
  facts: Facts,
  buffer: Buffer,
  from: number,
  filled: number,
  base: number,
  atEnd: boolean,
): number {
  const place = { offset: 0, length: 0 }
  let start = from
  for (;;) {
    const newline = lineEnd(buffer, start, filled, atEnd)
    if (newline === -1) return start
    const end = newline > start && buffer[newline - 1] === RETURN ? newline - 1 : newline
    if (end === start) bareFacts(facts, KIND.blank)
    else if (isSealed(buffer, newline, filled) || !quickFacts(buffer, start, end, buffer[end - 1] as number, facts)) {
      slowFacts(buffer.toString("utf8", start, end), facts)
    }
    place.offset = base + start
    place.length = newline - start
    replay(rows, facts, place)
    start = newline + 1
  }
}

/**
 * The facts that a scan finds in a line of `length` bytes, given with the two bytes after it; false if it is no line.
 */
export function lineFacts(bytes: Buffer, length: number, facts: Facts): boolean {
  const newline = bytes.indexOf(NEWLINE)
  if (newline === -1 ? bytes.length > length : newline !== length) return false
  const end = length > 0 && bytes[length - 1] === RETURN ? length - 1 : length
  if (end === 0) bareFacts(facts, KIND.blank)
  else if (bytes[length + 1] === NEWLINE || !quickFacts(bytes, 0, end, bytes[end - 1] as number, facts)) {
    slowFacts(bytes.toString("utf8", 0, end), facts)
  }
  return true
}

interface LongLine {
  offset: number
  /** The line's first bytes. */
  prefix: Buffer
}

function addLong(
  fd: number,
  rows: Rows,
  facts: Facts,
  long: LongLine,
  end: number,
  last: number,
  sealed: boolean,
): void {
  const { offset, prefix } = long
  const length = end - offset
  if (length > LONGEST_LINE) bareFacts(facts, KIND.damaged)
  else if (sealed || !quickFacts(prefix, 0, prefix.length, last, facts)) {
    slowFacts(readAt(fd, offset, length).toString("utf8"), facts)
  }
  replay(rows, facts, { offset, length })
}
