// A file of another agent's session, open read-only, and how far it has been scanned.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs"
import type { Source } from "../../formats/port.ts"
import { parseJson } from "../../model/json.ts"
import { LONGEST_LINE } from "../../model/record/facts.ts"
import { errno } from "../../store/file/disk/problems.ts"
import { fingerprint } from "../../store/file/index/fingerprint.ts"
import { LineReader } from "../../store/file/log/line-reader.ts"

/** Small enough to stay in a core's cache while its lines are read. */
const CHUNK = 256 * 1024
const RETURN = 13
const OPEN = 123
const CLOSE = 125
const NEWLINE = 10
/** Bytes to read at a time when counting lines. */
const COUNTED = 128 * 1024

/** What an index remembers about a source, so that a replaced or rewritten file is noticed. */
export interface Covered {
  number: number
  file: string
  bytes: number
  sum: number
  /** Only meaningful for files that their agent rewrites. */
  mtime: number
}

export class SourceFile {
  readonly source: Source
  readonly #lines = new LineReader()
  #fd: number | undefined
  #loaded: Buffer | undefined
  #inode = ""
  #mtime = 0
  covered = 0
  #sum = 0
  /** Its length at the last scan. */
  seen = 0
  /** How many lines have been counted, and up to which byte. */
  #counted = { at: 0, lines: 1 }

  constructor(source: Source) {
    this.source = source
  }

  /**
   * Opens the file now at this path. False if it is missing, not a regular file, or not for us to read. Throws the system's error if
   * that cannot be told now. Never blocks.
   */
  open(): boolean {
    this.close()
    const opened = openRegular(this.source.file, NOT_OURS)
    if (opened === undefined) return false
    const { dev, ino, mtimeMs } = opened.stat
    this.#fd = opened.fd
    this.#inode = `${dev}:${ino}`
    this.#mtime = mtimeMs
    if (this.source.load !== undefined) this.#loaded = this.source.load()
    return true
  }

  /**
   * Whether the scanned bytes are still there, unchanged. If not, all rows must be rebuilt. Throws the system's error if it cannot
   * look: that says nothing about the file.
   */
  isSame(): boolean {
    if (this.#fd === undefined) return false
    const now = openRegular(this.source.file, GONE)
    if (now === undefined) return false
    try {
      const { dev, ino, size, mtimeMs } = now.stat
      if (`${dev}:${ino}` !== this.#inode) return false
      if (this.#loaded !== undefined) return mtimeMs === this.#mtime
      if (size < this.covered) return false
      return size === this.covered && mtimeMs === this.#mtime ? true : this.#sumOf(now.fd, this.covered) === this.#sum
    } finally {
      closeSync(now.fd)
    }
  }

  get size(): number {
    if (this.#fd === undefined) return 0
    return Math.min(this.#loaded?.length ?? fstatSync(this.#fd).size, this.source.upTo ?? Number.POSITIVE_INFINITY)
  }

  /** Whether the file has grown since the last scan. */
  get grew(): boolean {
    return this.size !== this.seen
  }

  /** Bytes after the last complete line. */
  get torn(): number {
    return this.size - this.covered
  }

  /** Scans whatever has not been scanned yet. */
  scan(visitor: LineVisitor): void {
    if (this.#fd === undefined) return
    const { size } = this
    this.seen = size
    const read = this.#loaded === undefined ? readFrom(this.#fd) : readFromBytes(this.#loaded)
    if (size > this.covered) this.covered = readLines(read, this.covered, size, visitor)
    this.#mtime = fstatSync(this.#fd).mtimeMs
    this.#sum = this.#sumOf(this.#fd, this.covered)
  }

  /** Contract: valid until the next call. */
  read(offset: number, length: number): Buffer {
    if (this.#loaded !== undefined) return this.#loaded.subarray(offset, offset + length)
    return this.#fd === undefined ? Buffer.alloc(0) : this.#lines.read(this.#fd, offset, length)
  }

  /** The number, from 1, of the line that contains a byte. Cheap if called with ascending offsets. */
  lineAt(offset: number): number {
    let { at, lines } = offset >= this.#counted.at ? this.#counted : { at: 0, lines: 1 }
    while (at < offset) {
      const piece = this.read(at, Math.min(COUNTED, offset - at))
      if (piece.length === 0) break
      for (let found = piece.indexOf(NEWLINE); found !== -1; found = piece.indexOf(NEWLINE, found + 1)) lines++
      at += piece.length
    }
    this.#counted = { at, lines }
    return lines
  }

  /** What an index should remember. */
  extent(): Covered {
    const { number, file } = this.source
    return { number, file, bytes: this.covered, sum: this.#sum, mtime: this.#mtime }
  }

  /** Whether the file still begins with what an index remembers. If so, scanning continues after that. */
  resume(known: Covered): boolean {
    if (this.#fd === undefined || known.file !== this.source.file || this.size < known.bytes) return false
    if (this.source.how === "whole" && this.size > known.bytes) return false
    if (this.#loaded !== undefined && known.mtime !== this.#mtime) return false
    if (this.#loaded === undefined && this.#sumOf(this.#fd, known.bytes) !== known.sum) return false
    this.covered = known.bytes
    this.#sum = known.sum
    return true
  }

  forget(): void {
    this.covered = 0
    this.#sum = 0
  }

  /** A checksum of the beginning of the file and of the last bytes before `end`. */
  #sumOf(fd: number, end: number): number {
    return fingerprint(fd, 0, end)
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
    this.#loaded = undefined
    this.#counted = { at: 0, lines: 1 }
    this.#lines.reset()
  }
}

interface LineVisitor {
  /** `offset`: where the line starts in the file. */
  line(bytes: Buffer, start: number, end: number, offset: number): void
  /** A line that is too long to read. */
  tooLong(offset: number, length: number): void
}

/**
 * Reads the lines of a file between two offsets. Memory grows with the longest line, not with the file. Passes every
 * complete line except blank ones to `visitor`, and returns the offset it reached. An unterminated last line counts as
 * complete if it is a whole JSON object, because no append can change that. Contract: bytes before `size` do not change
 * while this runs.
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

function readFrom(fd: number): ReadBytes {
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

const GONE: readonly string[] = ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"]
const NOT_OURS: readonly string[] = [...GONE, "EACCES", "EPERM"]

/** Opens other agents' files, read-only. Returns undefined for these errors and what is no regular file. Never blocks on a FIFO. */
function openRegular(file: string, without: readonly string[]): { fd: number; stat: Stats } | undefined {
  let fd: number
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (without.includes(errno(error) ?? "")) return undefined
    throw error
  }
  let stat: Stats | undefined
  try {
    stat = fstatSync(fd)
  } finally {
    if (stat?.isFile() !== true) closeSync(fd)
  }
  return stat.isFile() ? { fd, stat } : undefined
}
