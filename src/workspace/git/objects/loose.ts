// Loose objects: one file each, written under a temporary name and renamed, so that a reader never sees half of one.
import fs from "node:fs"
import { inflateSync } from "node:zlib"
import { errno, RetconError } from "../../../model/failure/retcon-error.ts"
import { makeFolders } from "../../../model/failure/system-failure.ts"
import type { Disk } from "../disk/disk.ts"
import { temporaryIn } from "../disk/temporary.ts"
import { deflate } from "./deflate.ts"
import { header, type ObjectType, type Oid, type StoredObject } from "./object.ts"

export function looseFile(objects: string, oid: Oid): string {
  return `${objects}/${oid.slice(0, 2)}/${oid.slice(2)}`
}

export function readLoose(objects: string, oid: Oid): StoredObject | undefined {
  let raw: Buffer
  try {
    raw = fs.readFileSync(looseFile(objects, oid))
  } catch (error) {
    if (errno(error) === "ENOENT") return undefined
    throw error
  }
  const data = inflated(raw, objects, oid)
  const zero = data.indexOf(0)
  const type = data.toString("latin1", 0, data.indexOf(0x20)) as ObjectType
  return { type, data: data.subarray(zero + 1) }
}

function inflated(raw: Buffer, objects: string, oid: Oid): Buffer {
  try {
    return inflateSync(raw)
  } catch (error) {
    const problem = raw.length === 0 ? "it is empty, as a power cut leaves it" : "it is no longer whole"
    throw damagedObject(objects, oid, problem, error)
  }
}

/** A part of a snapshot that exists but cannot be used. */
export function damagedObject(objects: string, oid: Oid, problem: string, cause?: unknown): RetconError {
  return new RetconError({ code: "damaged", path: looseFile(objects, oid), line: 0, problem }, { cause })
}

/** Contract: when it returns, the object is visible to all, but not yet durable. */
export function writeLoose(disk: Disk, objects: string, oid: Oid, object: StoredObject): void {
  const target = looseFile(objects, oid)
  const folder = `${objects}/${oid.slice(0, 2)}`
  const temporary = temporaryIn(folder)
  const bytes = deflate(Buffer.concat([Buffer.from(header(object.type, object.data.length), "latin1"), object.data]))
  const write = () => disk.writeNew(temporary, bytes, { mode: 0o444, sync: false })
  try {
    try {
      write()
    } catch (error) {
      if (errno(error) !== "ENOENT") throw error
      makeFolders(folder, (path) => fs.mkdirSync(path, { mode: 0o700 }))
      write()
    }
    disk.rename(temporary, target)
  } catch (error) {
    // A full disk needs the space more than anyone needs half an object.
    fs.rmSync(temporary, { force: true })
    throw error
  }
}
