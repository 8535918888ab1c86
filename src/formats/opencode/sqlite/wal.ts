// The file beside a database that holds its last changes: pages that were not yet copied into it (`-wal`).
import { fstatSync, readSync } from "node:fs"

const HEADER = 32
const FRAME = 24
const MAGIC = 0x377f0682

/** Pages that are newer than those of the database, as far as they were committed. */
export interface WalPages {
  /** By page: where it is in the file. */
  offsets: Map<number, number>
  /** How many pages the database has with them. */
  count: number
}

/** Nothing, when no change was committed. Contract: only reads; what is behind a torn or stale frame does not count. */
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

/** Runs through all frames: each one's sum is over everything before it. */
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
