// Packs, written: objects stream into one temporary file; the index and the final names appear only when it is whole.

import { createHash } from "node:crypto"
import fs from "node:fs"
import { crc32 } from "node:zlib"
import { makeFolders } from "../../../model/failure/system-failure.ts"
import type { Disk } from "../disk/disk.ts"
import type { Oid, StoredObject } from "./object.ts"
import { packEntry } from "./pack-entry.ts"

type Row = { oid: Oid; offset: number; crc: number }

export type PackWriter = {
  has(oid: Oid): boolean
  add(oid: Oid, object: StoredObject): void
  /** Adds an object as another pack holds it, without unpacking. The bytes must not change until the pack is finished. */
  copy(oid: Oid, raw: Buffer): void
  /** Returns the pack's file, or undefined when nothing was added. Durable on return; when it throws nothing is left behind. */
  finish(): string | undefined
  /** Does nothing once the pack is finished or abandoned. */
  abandon(): void
}

const CHUNK = 4 << 20

export function startPack(disk: Disk, folder: string): PackWriter {
  const temporary = `${folder}/tmp-${process.pid}-${packs++}.pack`
  makeFolders(folder, (path) => fs.mkdirSync(path, { mode: 0o700 }))
  const file = fs.openSync(temporary, "wx+", 0o600)
  const rows = new Map<Oid, Row>()
  let chunks: Buffer[] = [Buffer.from("5041434b0000000200000000", "hex")]
  let pending = 12
  let offset = 12

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
    disk.writeNew(index, printIndex([...rows.values()], sum), { mode: 0o444, sync: true })
    fs.chmodSync(temporary, 0o444)
    disk.rename(temporary, `${name}.pack`)
    disk.rename(index, `${name}.idx`)
    disk.syncFolder(folder)
    return `${name}.pack`
  }

  let open = true
  function close(): void {
    if (open) fs.closeSync(file)
    open = false
  }

  function abandon(): void {
    close()
    fs.rmSync(temporary, { force: true })
    fs.rmSync(`${temporary}.idx`, { force: true })
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

let packs = 0

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

function printIndex(rows: Row[], packSum: Buffer): Buffer {
  rows.sort((a, b) => (a.oid < b.oid ? -1 : 1))
  const large = rows.filter((row) => row.offset >= 0x80000000)
  const index = Buffer.alloc(8 + 1024 + rows.length * 28 + large.length * 8 + 40)
  index.writeUInt32BE(0xff744f63, 0)
  index.writeUInt32BE(2, 4)
  const fan = new Uint32Array(256)
  for (const row of rows) {
    const first = Number.parseInt(row.oid.slice(0, 2), 16)
    fan[first] = (fan[first] ?? 0) + 1
  }
  let sum = 0
  for (let i = 0; i < 256; i++) {
    sum += fan[i] as number
    index.writeUInt32BE(sum, 8 + i * 4)
  }
  const names = 1032
  const crcs = names + rows.length * 20
  const offsets = crcs + rows.length * 4
  let next = 0
  rows.forEach((row, i) => {
    index.write(row.oid, names + i * 20, "hex")
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
