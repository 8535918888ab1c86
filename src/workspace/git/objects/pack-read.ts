// Packs, read: the index is held in memory, objects are read from the file at their offset. Our packs hold no deltas.

import fs from "node:fs"
import { inflateSync } from "node:zlib"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { ObjectType, Oid, StoredObject } from "./object.ts"

export type Pack = {
  file: string
  size: number
  count: number
  has(oid: Oid): boolean
  read(oid: Oid): StoredObject | undefined
  /** The object as it lies in the pack: header and compressed bytes, to be copied into another pack. */
  raw(oid: Oid): Buffer | undefined
  /** All objects with the bytes that each takes in the pack. */
  sizes(): { oid: Oid; size: number }[]
  close(): void
}

const TYPES: Record<number, ObjectType> = { 2: "tree", 3: "blob" }

export function openPack(file: string): Pack {
  const index = fs.readFileSync(file.replace(/\.pack$/, ".idx"))
  const count = index.readUInt32BE(8 + 255 * 4)
  const names = 8 + 1024
  const offsets = names + count * 24
  const handle = fs.openSync(file, "r")
  const size = fs.fstatSync(handle).size
  let ends: Map<number, number> | undefined

  function offsetAt(row: number): number {
    const small = index.readUInt32BE(offsets + row * 4)
    if (small < 0x80000000) return small
    return Number(index.readBigUInt64BE(offsets + count * 4 + (small - 0x80000000) * 8))
  }

  function rowOf(oid: Oid): number {
    const wanted = Buffer.from(oid, "hex")
    const first = wanted[0] as number
    let low = first === 0 ? 0 : index.readUInt32BE(8 + (first - 1) * 4)
    let high = index.readUInt32BE(8 + first * 4)
    while (low < high) {
      const middle = (low + high) >> 1
      const order = wanted.compare(index, names + middle * 20, names + middle * 20 + 20)
      if (order === 0) return middle
      if (order < 0) high = middle
      else low = middle + 1
    }
    return -1
  }

  function endOf(offset: number): number {
    if (ends === undefined) {
      const sorted = Float64Array.from({ length: count }, (_, row) => offsetAt(row)).sort()
      ends = new Map()
      for (let i = 0; i < count; i++) ends.set(sorted[i] as number, sorted[i + 1] ?? size - 20)
    }
    return ends.get(offset) as number
  }

  function raw(oid: Oid): Buffer | undefined {
    const row = rowOf(oid)
    if (row < 0) return undefined
    const offset = offsetAt(row)
    const bytes = Buffer.allocUnsafe(endOf(offset) - offset)
    if (fs.readSync(handle, bytes, 0, bytes.length, offset) !== bytes.length) {
      throw new RetconError({ code: "damaged", path: file, line: 0, problem: "the pack ends early" })
    }
    return bytes
  }

  return {
    file,
    size,
    count,
    has: (oid) => rowOf(oid) >= 0,
    raw,
    read(oid) {
      const bytes = raw(oid)
      if (bytes === undefined) return undefined
      const type = TYPES[((bytes[0] as number) >> 4) & 7]
      if (type === undefined) {
        throw new RetconError({ code: "damaged", path: file, line: 0, problem: "an object of a kind we do not write" })
      }
      let at = 0
      while ((bytes[at] as number) & 0x80) at++
      try {
        return { type, data: inflateSync(bytes.subarray(at + 1)) }
      } catch (error) {
        throw new RetconError(
          { code: "damaged", path: file, line: 0, problem: `object ${oid} is not whole` },
          { cause: error },
        )
      }
    },
    sizes: () =>
      Array.from({ length: count }, (_, row) => ({
        oid: index.toString("hex", names + row * 20, names + row * 20 + 20),
        size: endOf(offsetAt(row)) - offsetAt(row),
      })),
    close: () => fs.closeSync(handle),
  }
}
