// Objects of a person's repository, read as data from its loose objects and packs: git is not asked.

import fs from "node:fs"
import nodePath from "node:path"
import { inflateSync } from "node:zlib"
import { errno } from "../../../model/failure/system-failure.ts"
import { type Project, readIfThere } from "./project.ts"

const MOST_BYTES = 1 << 20
const MOST_DELTAS = 60
const TYPES = { commit: 1, tree: 2, blob: 3 } as const
const OFFSET_DELTA = 6
const NAMED_DELTA = 7

type ObjectType = keyof typeof TYPES

/**
 * Contract: undefined for whatever cannot be read: not there, of another type, over a mebibyte, damaged, stored in a way we
 * do not know.
 */
export type ReadObject = (type: ObjectType, oid: string) => Buffer | undefined

/** Close it when done: it keeps packs open. */
export function openProjectObjects(project: Project): { read: ReadObject; close(): void } {
  const folders = objectFolders(nodePath.join(project.commonFolder, "objects"))
  let packs: ProjectPack[] | undefined
  return {
    read(type, oid) {
      for (const folder of folders) {
        const loose = readIfThere(`${folder}/${oid.slice(0, 2)}/${oid.slice(2)}`)
        if (loose !== undefined) return looseObject(type, loose)
      }
      packs ??= folders.flatMap(openPacks)
      for (const pack of packs) {
        const found = pack.read(type, oid)
        if (found !== undefined) return found
      }
      return undefined
    },
    close() {
      for (const pack of packs ?? []) pack.close()
      packs = undefined
    },
  }
}

/** A repository may borrow the objects of others, and those too. */
function objectFolders(own: string): string[] {
  const found = new Set([own])
  for (const folder of found) {
    const text = readIfThere(`${folder}/info/alternates`)?.toString() ?? ""
    for (const line of text.split("\n").filter((each) => each !== "" && !each.startsWith("#")))
      if (found.size < 10) found.add(nodePath.resolve(folder, line))
  }
  return [...found]
}

function looseObject(type: ObjectType, raw: Buffer): Buffer | undefined {
  const data = inflate(raw)
  if (data === undefined || data.toString("latin1", 0, type.length + 1) !== `${type} `) return undefined
  return data.subarray(data.indexOf(0) + 1)
}

function inflate(raw: Buffer): Buffer | undefined {
  try {
    return inflateSync(raw, { maxOutputLength: MOST_BYTES })
  } catch (error) {
    if (errno(error) === undefined) throw error
    return undefined
  }
}

type ProjectPack = { read: ReadObject; close(): void }

function openPacks(folder: string): ProjectPack[] {
  const names = fs.existsSync(`${folder}/pack`) ? fs.readdirSync(`${folder}/pack`) : []
  return names
    .filter((name) => /^pack-[0-9a-f]+\.idx$/.test(name))
    .flatMap((name) => openPack(`${folder}/pack/${name}`) ?? [])
}

function openPack(indexFile: string): ProjectPack | undefined {
  const index = readIfThere(indexFile)
  if (index === undefined || index.length < 1100 || index.readUInt32BE(0) !== 0xff744f63) return undefined
  const file = openIfThere(indexFile.replace(/idx$/, "pack"))
  if (file === undefined) return undefined
  const at = (wanted: number, offset: number, deltas: number, hash: number): Buffer | undefined => {
    const head = readAt(file, offset, 64)
    const type = ((head[0] ?? 0) >> 4) & 7
    let next = 0
    while ((head[next] ?? 0) & 0x80) next++
    next++
    if (type === wanted) return inflate(readAt(file, offset + next, MOST_BYTES))
    if ((type !== OFFSET_DELTA && type !== NAMED_DELTA) || deltas > MOST_DELTAS) return undefined
    let base: Buffer | undefined
    if (type === NAMED_DELTA) {
      const place = offsetIn(index, head.subarray(next, next + hash))
      base = place === undefined ? undefined : at(wanted, place, deltas + 1, hash)
      next += hash
    } else {
      const distance = readDistance(head, next)
      base = at(wanted, offset - distance.value, deltas + 1, hash)
      next = distance.end
    }
    const delta = base && inflate(readAt(file, offset + next, MOST_BYTES))
    return delta && base && applyDelta(base, delta)
  }
  return {
    read(type, oid) {
      const offset = offsetIn(index, Buffer.from(oid, "hex"))
      return offset === undefined ? undefined : at(TYPES[type], offset, 0, oid.length / 2)
    },
    close: () => fs.closeSync(file),
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return fs.openSync(path, "r")
  } catch (error) {
    if (["ENOENT", "EACCES"].includes(errno(error) ?? "")) return undefined
    throw error
  }
}

function readAt(file: number, offset: number, most: number): Buffer {
  const bytes = Buffer.allocUnsafe(most)
  return bytes.subarray(0, fs.readSync(file, bytes, 0, most, offset))
}

function offsetIn(index: Buffer, oid: Buffer): number | undefined {
  const first = oid[0] ?? 0
  let low = first === 0 ? 0 : index.readUInt32BE(8 + (first - 1) * 4)
  let high = index.readUInt32BE(8 + first * 4)
  const count = index.readUInt32BE(8 + 255 * 4)
  const names = 8 + 1024
  if (names + count * (oid.length + 8) > index.length || high > count) return undefined
  while (low < high) {
    const middle = (low + high) >> 1
    const order = oid.compare(index, names + middle * oid.length, names + (middle + 1) * oid.length)
    if (order === 0) return largeOffset(index, names + count * (oid.length + 4), middle, count)
    if (order < 0) high = middle
    else low = middle + 1
  }
  return undefined
}

function largeOffset(index: Buffer, offsets: number, row: number, count: number): number {
  const small = index.readUInt32BE(offsets + row * 4)
  if (small < 0x80000000) return small
  return Number(index.readBigUInt64BE(offsets + count * 4 + (small - 0x80000000) * 8))
}

function readDistance(bytes: Buffer, start: number): { value: number; end: number } {
  let end = start
  let byte = bytes[end++] ?? 0
  let value = byte & 0x7f
  while (byte & 0x80) {
    byte = bytes[end++] ?? 0
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, end }
}

/** Contract: undefined when the delta does not fit its base. */
function applyDelta(base: Buffer, delta: Buffer): Buffer | undefined {
  let at = 0
  const size = () => {
    let [value, scale, byte] = [0, 1, 0x80]
    for (; byte & 0x80; scale *= 128) {
      byte = delta[at++] ?? 0
      value += (byte & 0x7f) * scale
    }
    return value
  }
  if (size() !== base.length) return undefined
  const wanted = size()
  const parts: Buffer[] = []
  while (at < delta.length) {
    const command = delta[at++] ?? 0
    if ((command & 0x80) === 0) {
      parts.push(delta.subarray(at, at + command))
      at += command
      continue
    }
    let [offset, length] = [0, 0]
    for (let i = 0; i < 4; i++) if (command & (1 << i)) offset += (delta[at++] ?? 0) * 256 ** i
    for (let i = 0; i < 3; i++) if (command & (16 << i)) length += (delta[at++] ?? 0) * 256 ** i
    parts.push(base.subarray(offset, offset + (length === 0 ? 0x10000 : length)))
  }
  const made = Buffer.concat(parts)
  return made.length === wanted ? made : undefined
}
