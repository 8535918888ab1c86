// The file beside a database with its latest changes: pages that have not been copied into it yet (`-wal`).
import { fstatSync, readSync } from "node:fs"

const HEADER = 32
const FRAME = 24
const MAGIC = 0x377f0682

/** Pages newer than those of the database, as far as they were committed. */
export interface WalPages {
  /** The offset of each page in the file, by page number. */
  offsets: Map<number, number>
  /** How many pages the database has, including these. */
  count: number
}

/** Undefined if no change was committed. Contract: only reads; whatever follows a torn or stale frame is ignored. */
export function readWal(fd: number, pageSize: number): WalPages | undefined {
  const header = Buffer.alloc(HEADER)
  if (readSync(fd, header, 0, HEADER, 0) < HEADER) return undefined
  const magic = header.readUInt32BE(0)
  if ((magic & 0xfffffffe) >>> 0 !== MAGIC || header.readUInt32BE(8) !== pageSize) return undefined
  const sum = new Checksum((magic & 1) === 1)
  sum.add(header, 0, 24)
  if (!sum.is(header.readUInt32BE(24), header.readUInt32BE(28))) return undefined
  const found: WalPages = { offsets: new Map(), count: 0 }
  let pending = new Map<number, number>()
  const frame = Buffer.alloc(FRAME + pageSize)
  const { size } = fstatSync(fd)
  for (let at = HEADER; at + frame.length <= size; at += frame.length) {
    if (readSync(fd, frame, 0, frame.length, at) < frame.length) break
    if (header.compare(frame, 8, 16, 16, 24) !== 0) break
    sum.add(frame, 0, 8)
    sum.add(frame, FRAME, frame.length)
    if (!sum.is(frame.readUInt32BE(16), frame.readUInt32BE(20))) break
    pending.set(frame.readUInt32BE(0), at + FRAME)
    const committed = frame.readUInt32BE(4)
    if (committed === 0) continue
    found.count = committed
    for (const [page, offset] of pending) found.offsets.set(page, offset)
    pending = new Map()
  }
  return found.count === 0 ? undefined : found
}

/** A running checksum over all frames: each frame's sum covers everything before it. */
class Checksum {
  readonly #big: boolean
  #first = 0
  #second = 0

  constructor(big: boolean) {
    this.#big = big
  }

  /** Contract: a multiple of eight bytes. */
  add(bytes: Buffer, start: number, end: number): void {
    let [first, second] = [this.#first, this.#second]
    for (let at = start; at < end; at += 8) {
      first = (first + (this.#big ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + second) >>> 0
      second = (second + (this.#big ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + first) >>> 0
    }
    this.#first = first
    this.#second = second
  }

  is(first: number, second: number): boolean {
    return this.#first === first && this.#second === second
  }
}
