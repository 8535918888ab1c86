// A file of another agent's session, open read-only, and how far it has been scanned.
import { closeSync, fstatSync } from "node:fs"
import type { Source } from "../../formats/port.ts"
import { fingerprint } from "../../store/file/index/fingerprint.ts"
import { LineReader } from "../../store/file/log/line-reader.ts"
import { type LineVisitor, readFrom, readFromBytes, readLines } from "./lines.ts"
import { openRegular } from "./open-regular.ts"

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

  /** Opens the file now at this path. False if it is missing or not a regular file. Never blocks. */
  open(): boolean {
    this.close()
    const opened = openRegular(this.source.file)
    if (opened === undefined) return false
    const { dev, ino, mtimeMs } = opened.stat
    this.#fd = opened.fd
    this.#inode = `${dev}:${ino}`
    this.#mtime = mtimeMs
    if (this.source.load !== undefined) this.#loaded = this.source.load()
    return true
  }

  /** Whether the scanned bytes are still there, unchanged. If not, all rows must be rebuilt. */
  isSame(): boolean {
    if (this.#fd === undefined) return false
    const now = openRegular(this.source.file)
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
