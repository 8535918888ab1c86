// The index of a pack, version 2: where each object begins. For our own packs and those of people's repositories.
import { createHash } from "node:crypto"
import type { Oid } from "./object.ts"

export type PackRow = { oid: Oid; offset: number; crc: number }

export type PackIndex = {
  count: number
  /** The length of object names in bytes: 20, or 32 in a SHA-256 repository. */
  nameLength: number
  /** Where an object begins; undefined if it is not in the pack. */
  find: (oid: string) => number | undefined
  oidAt: (row: number) => string
  offsetAt: (row: number) => number
}

const MAGIC = 0xff744f63
const FAN = 8
const NAMES = FAN + 256 * 4

/** Contract: undefined if the bytes are not such an index. */
export function parsePackIndex(bytes: Buffer, nameLength: number): PackIndex | undefined {
  if (bytes.length < NAMES || bytes.readUInt32BE(0) !== MAGIC) return undefined
  const below = (first: number) => (first < 0 ? 0 : bytes.readUInt32BE(FAN + first * 4))
  const count = below(255)
  const offsets = NAMES + count * (nameLength + 4)
  if (offsets + count * 4 > bytes.length) return undefined

  const offsetAt = (row: number): number => {
    const small = bytes.readUInt32BE(offsets + row * 4)
    if (small < 0x80000000) return small
    return Number(bytes.readBigUInt64BE(offsets + count * 4 + (small - 0x80000000) * 8))
  }
  return {
    count,
    nameLength,
    offsetAt,
    oidAt: (row) => bytes.toString("hex", NAMES + row * nameLength, NAMES + (row + 1) * nameLength),
    find(oid) {
      const name = Buffer.from(oid, "hex")
      const first = name[0] ?? 0
      let [low, high] = [below(first - 1), Math.min(below(first), count)]
      while (low < high) {
        const middle = (low + high) >> 1
        const order = name.compare(bytes, NAMES + middle * nameLength, NAMES + (middle + 1) * nameLength)
        if (order === 0) return offsetAt(middle)
        if (order < 0) high = middle
        else low = middle + 1
      }
      return undefined
    },
  }
}

/** `packSum`: the pack's own checksum. */
export function printPackIndex(rows: PackRow[], packSum: Buffer): Buffer {
  rows.sort((a, b) => (a.oid < b.oid ? -1 : 1))
  const large = rows.filter((row) => row.offset >= 0x80000000)
  const index = Buffer.alloc(NAMES + rows.length * 28 + large.length * 8 + 40)
  index.writeUInt32BE(MAGIC, 0)
  index.writeUInt32BE(2, 4)
  const fan = new Uint32Array(256)
  for (const row of rows) {
    const first = Number.parseInt(row.oid.slice(0, 2), 16)
    fan[first] = (fan[first] ?? 0) + 1
  }
  let sum = 0
  for (let i = 0; i < 256; i++) {
    sum += fan[i] as number
    index.writeUInt32BE(sum, FAN + i * 4)
  }
  const crcs = NAMES + rows.length * 20
  const offsets = crcs + rows.length * 4
  let next = 0
  rows.forEach((row, i) => {
    index.write(row.oid, NAMES + i * 20, "hex")
    index.writeUInt32BE(row.crc, crcs + i * 4)
    if (row.offset < 0x80000000) index.writeUInt32BE(row.offset, offsets + i * 4)
    else {
      index.writeUInt32BE(0x80000000 + next, offsets + i * 4)
      index.writeBigUInt64BE(BigInt(row.offset), offsets + rows.length * 4 + next++ * 8)
    }
  })
  packSum.copy(index, index.length - 40)
  createHash("sha1")
    .update(index.subarray(0, index.length - 20))
    .digest()
    .copy(index, index.length - 20)
  return index
}
