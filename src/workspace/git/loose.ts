// Loose objects: one file each, written aside and renamed, so that a reader never sees half of one.

import fs from "node:fs"
import { deflateSync, inflateSync } from "node:zlib"
import { makeFolders } from "../../model/system-failure.ts"
import type { Disk } from "./disk.ts"
import { header, type ObjectType, type Oid, type StoredObject } from "./object.ts"

/** Most objects are small, and then setting up the compressor and its output is what costs: both are kept small. */
export function deflate(data: Buffer): Buffer {
  const small = data.length <= 4096
  const chunkSize = Math.min(16384, Math.max(64, (data.length >> 1) + 64))
  return deflateSync(data, { level: 1, windowBits: small ? 12 : 15, memLevel: small ? 5 : 8, chunkSize })
}

export function looseFile(objects: string, oid: Oid): string {
  return `${objects}/${oid.slice(0, 2)}/${oid.slice(2)}`
}

export function readLoose(objects: string, oid: Oid): StoredObject | undefined {
  let raw: Buffer
  try {
    raw = fs.readFileSync(looseFile(objects, oid))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
  const data = inflateSync(raw)
  const zero = data.indexOf(0)
  const type = data.toString("latin1", 0, data.indexOf(0x20)) as ObjectType
  return { type, data: data.subarray(zero + 1) }
}

let counter = 0

/** Contract: after it returns the object is visible to all; durable only if `sync` was asked for. */
export function writeLoose(disk: Disk, objects: string, oid: Oid, object: StoredObject, sync: boolean): void {
  const target = looseFile(objects, oid)
  const folder = `${objects}/${oid.slice(0, 2)}`
  const temporary = `${folder}/tmp-${process.pid}-${counter++}`
  const bytes = deflate(Buffer.concat([Buffer.from(header(object.type, object.data.length), "latin1"), object.data]))
  const write = () => disk.writeNew(temporary, bytes, { mode: 0o444, sync })
  try {
    write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    makeFolders(folder, (path) => fs.mkdirSync(path, { mode: 0o700 }))
    write()
  }
  disk.rename(temporary, target)
}
