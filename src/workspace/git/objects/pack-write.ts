// Writes packs: objects stream into one temporary file; the index and the final names appear only when it is complete.
import { createHash } from "node:crypto"
import fs from "node:fs"
import { crc32 } from "node:zlib"
import { orNothing } from "../../../model/failure/retcon-error.ts"
import { makeFolders } from "../../../model/failure/system-failure.ts"
import type { Disk } from "../disk/disk.ts"
import { temporaryIn } from "../disk/temporary.ts"
import type { Oid, StoredObject } from "./object.ts"
import { packEntry } from "./pack-entry.ts"
import { type PackRow, printPackIndex } from "./pack-index.ts"

export type PackWriter = {
  has(oid: Oid): boolean
  add(oid: Oid, object: StoredObject): void
  /** Adds an object in pack format, without unpacking. The bytes must not change until the pack is finished. */
  copy(oid: Oid, raw: Buffer): void
  /** Returns the pack's file, or undefined if nothing was added. Durable on return; if it throws, nothing remains. */
  finish(): string | undefined
  /** Does nothing once the pack is finished or abandoned. */
  abandon(): void
}

const CHUNK = 4 << 20

export function startPack(disk: Disk, folder: string): PackWriter {
  const temporary = `${temporaryIn(folder)}.pack`
  makeFolders(folder, (path) => fs.mkdirSync(path, { mode: 0o700 }))
  const file = fs.openSync(temporary, "wx+", 0o600)
  const rows = new Map<Oid, PackRow>()
  let chunks: Buffer[] = [Buffer.from("5041434b0000000200000000", "hex")]
  let pending = 12
  let offset = 12
  /** Its final name, without ending, once it has that. */
  let named: string | undefined

  function flush(): void {
    const data = Buffer.concat(chunks)
    disk.append(file, data, temporary)
    chunks = []
    pending = 0
  }

  function put(oid: Oid, ...parts: Buffer[]): void {
    const row = { oid, offset, crc: 0 }
    for (const part of parts) {
      row.crc = crc32(part, row.crc)
      chunks.push(part)
      offset += part.length
      pending += part.length
    }
    rows.set(oid, row)
    if (pending > CHUNK) flush()
  }

  function finish(): string | undefined {
    flush()
    if (rows.size === 0) {
      abandon()
      return undefined
    }
    const count = Buffer.alloc(4)
    count.writeUInt32BE(rows.size)
    fs.writeSync(file, count, 0, 4, 8)
    const sum = hashFile(file, offset)
    disk.append(file, sum, temporary, offset)
    fs.fdatasyncSync(file)
    close()
    const name = `${folder}/pack-${sum.toString("hex")}`
    const index = `${temporary}.idx`
    disk.writeNew(index, printPackIndex([...rows.values()], sum), { mode: 0o444, sync: true })
    fs.chmodSync(temporary, 0o444)
    disk.rename(temporary, `${name}.pack`)
    named = name
    disk.rename(index, `${name}.idx`)
    disk.syncFolder(folder)
    return `${name}.pack`
  }

  let open = true
  function close(): void {
    if (!open) return
    open = false
    fs.closeSync(file)
  }

  /** Frees the space in any case: on a full disk it is needed more than anyone needs half a pack. */
  function abandon(): void {
    orNothing(close)
    const unnamed = named !== undefined && !fs.existsSync(`${named}.idx`) ? [`${named}.pack`] : []
    for (const left of [temporary, `${temporary}.idx`, ...unnamed]) orNothing(() => fs.rmSync(left, { force: true }))
  }

  return {
    has: (oid) => rows.has(oid),
    add(oid, object) {
      if (!rows.has(oid)) put(oid, ...packEntry(object))
    },
    copy(oid, raw) {
      if (!rows.has(oid)) put(oid, raw)
    },
    finish() {
      try {
        return finish()
      } catch (error) {
        abandon()
        throw error
      }
    },
    abandon,
  }
}

function hashFile(file: number, length: number): Buffer {
  const hash = createHash("sha1")
  const chunk = Buffer.allocUnsafe(CHUNK)
  for (let at = 0; at < length; ) {
    const got = fs.readSync(file, chunk, 0, Math.min(CHUNK, length - at), at)
    hash.update(chunk.subarray(0, got))
    at += got
  }
  return hash.digest()
}
