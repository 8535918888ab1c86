// Reads packs: the index is in memory, objects are read from the file at their offset. Our packs contain no deltas.
import fs from "node:fs"
import { inflateSync } from "node:zlib"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { ObjectType, Oid, StoredObject } from "./object.ts"
import { type PackIndex, parsePackIndex } from "./pack-index.ts"

export type Pack = {
  file: string
  size: number
  count: number
  has(oid: Oid): boolean
  read(oid: Oid): StoredObject | undefined
  /** The object in pack format, header and compressed bytes, to copy into another pack. */
  raw(oid: Oid): Buffer | undefined
  /** All objects with the number of bytes each takes in the pack. */
  sizes(): { oid: Oid; size: number }[]
  close(): void
}

const TYPES: Record<number, ObjectType> = { 2: "tree", 3: "blob" }

export function openPack(file: string): Pack {
  const index = readIndex(file)
  const { count } = index
  const handle = fs.openSync(file, "r")
  const size = fs.fstatSync(handle).size
  let ends: Map<number, number> | undefined

  function endOf(offset: number): number {
    if (ends === undefined) {
      const sorted = Float64Array.from({ length: count }, (_, row) => index.offsetAt(row)).sort()
      ends = new Map()
      for (let i = 0; i < count; i++) ends.set(sorted[i] as number, sorted[i + 1] ?? size - 20)
    }
    return ends.get(offset) as number
  }

  function raw(oid: Oid): Buffer | undefined {
    const offset = index.find(oid)
    if (offset === undefined) return undefined
    const bytes = Buffer.allocUnsafe(endOf(offset) - offset)
    if (fs.readSync(handle, bytes, 0, bytes.length, offset) !== bytes.length) {
      throw damagedPack(file, "the pack ends early")
    }
    return bytes
  }

  return {
    file,
    size,
    count,
    has: (oid) => index.find(oid) !== undefined,
    raw,
    read(oid) {
      const bytes = raw(oid)
      if (bytes === undefined) return undefined
      const type = TYPES[((bytes[0] as number) >> 4) & 7]
      if (type === undefined) {
        throw damagedPack(file, "an object of a kind we do not write")
      }
      let at = 0
      while ((bytes[at] as number) & 0x80) at++
      try {
        return { type, data: inflateSync(bytes.subarray(at + 1)) }
      } catch (error) {
        throw damagedPack(file, `object ${oid} is not whole`, error)
      }
    },
    sizes: () =>
      Array.from({ length: count }, (_, row) => ({
        oid: index.oidAt(row),
        size: endOf(index.offsetAt(row)) - index.offsetAt(row),
      })),
    close: () => fs.closeSync(handle),
  }
}

function damagedPack(file: string, problem: string, cause?: unknown): RetconError {
  return new RetconError({ code: "damaged", path: file, line: 0, problem }, { cause })
}

function readIndex(file: string): PackIndex {
  const index = parsePackIndex(fs.readFileSync(file.replace(/\.pack$/, ".idx")), 20)
  if (index === undefined) throw damagedPack(file, "its index cannot be read")
  return index
}
