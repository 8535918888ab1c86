// Reads lines of a log while they are needed, with few reads when they follow each other, in either direction: a context
// is read forward, a chain from its end.
import { readAt, readInto } from "../disk/read-at.ts"

const MOST = 256 * 1024
const LEAST = 32 * 1024
/** Bytes of lines that nobody asked for, between two that are read one after the other. */
const GAP = 16 * 1024

/** One for all readers: otherwise each opened log would take that much new memory for its first lines. */
let buffer: Buffer | undefined
/** The reader whose lines it holds, and how many readers there are. */
let owner = 0
let readers = 0

export class LineReader {
  readonly #number = ++readers
  #start = 0
  #end = 0
  /** How much the last read took that continued where the one before it had ended, or begun. */
  #ahead = LEAST

  /** Forgets what was read: the file is another one. */
  reset(): void {
    this.#start = 0
    this.#end = 0
  }

  /** Contract: as many bytes as the file has there. They are valid until the next call, of this reader or another. */
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
