// Reads lines of a log on demand, with few reads if they follow one another in either direction: a context is read
// forwards, a chain backwards.
import { readAt, readInto } from "../disk/read-at.ts"

const MOST = 256 * 1024
const LEAST = 32 * 1024
/** Lines further apart than this many bytes do not count as following one another. */
const GAP = 16 * 1024

/** Shared by all readers: otherwise each opened log would take this much new memory for its first lines. */
let buffer: Buffer | undefined
/** The reader whose lines are in it, and how many readers there are. */
let owner = 0
let readers = 0

export class LineReader {
  readonly #number = ++readers
  #start = 0
  #end = 0
  /** How many bytes the last read took; doubled while reads follow one another. */
  #ahead = LEAST

  /** Forgets what was read: the file is a different one. */
  reset(): void {
    this.#start = 0
    this.#end = 0
  }

  /** Contract: as many bytes as the file has there. They are valid until the next call, on this reader or another. */
  read(fd: number, offset: number, length: number): Buffer {
    if (length > MOST) return readAt(fd, offset, length)
    buffer ??= Buffer.allocUnsafe(MOST)
    const isHeld = owner === this.#number && offset >= this.#start && offset + length <= this.#end
    if (!isHeld) this.#fill(buffer, fd, offset, length)
    return buffer.subarray(offset - this.#start, Math.min(offset + length, this.#end) - this.#start)
  }

  #fill(into: Buffer, fd: number, offset: number, length: number): void {
    owner = this.#number
    const [end, known] = [offset + length, this.#end > this.#start]
    const onward = known && offset >= this.#start && offset <= this.#end + GAP
    const backward = known && end <= this.#end && end >= this.#start - GAP
    this.#ahead = onward || backward ? Math.min(this.#ahead * 2, MOST) : LEAST / 2
    const wanted = onward || backward ? Math.max(length, this.#ahead) : length
    this.#start = backward ? Math.max(0, end - wanted) : offset
    this.#end = this.#start
    this.#end += readInto(fd, into, backward ? end - this.#start : wanted, this.#start)
  }
}
