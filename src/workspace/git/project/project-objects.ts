// Objects of a person's repository, read as data from its loose objects and packs, without running git.
import fs from "node:fs"
import nodePath from "node:path"
import { inflateSync } from "node:zlib"
import { errno } from "../../../model/failure/retcon-error.ts"
import { type PackIndex, parsePackIndex } from "../objects/pack-index.ts"
import { type Project, readIfThere } from "./project.ts"

const MOST_BYTES = 1 << 20
const MOST_DELTAS = 60
const TYPES = { commit: 1, tree: 2, blob: 3 } as const
const OFFSET_DELTA = 6
const NAMED_DELTA = 7

type ObjectType = keyof typeof TYPES

/**
 * Contract: undefined for anything that cannot be read: missing, of another type, over a mebibyte, damaged, or stored
 * in an unknown way.
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

/** A repository may borrow objects from others, and these from others again. */
export function objectFolders(own: string): string[] {
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
  const bytes = readIfThere(indexFile)
  const file = bytes && openIfThere(indexFile.replace(/idx$/, "pack"))
  if (bytes === undefined || file === undefined) return undefined
  let index: PackIndex | undefined
  return {
    read(type, oid) {
      index ??= parsePackIndex(bytes, oid.length / 2)
      const offset = index?.find(oid)
      return offset === undefined || index === undefined ? undefined : readEntry({ file, index }, TYPES[type], offset)
    },
    close: () => fs.closeSync(file),
  }
}

/**
 * An object at an offset in a pack. Most are stored as a difference from another one, their base, and so may that be.
 */
function readEntry(
  pack: { file: number; index: PackIndex },
  wanted: number,
  offset: number,
  deltas = 0,
): Buffer | undefined {
  const head = readAt(pack.file, offset, 64)
  const type = ((head[0] ?? 0) >> 4) & 7
  let next = 0
  while ((head[next] ?? 0) & 0x80) next++
  next++
  if (type === wanted) return inflate(readAt(pack.file, offset + next, MOST_BYTES))
  if ((type !== OFFSET_DELTA && type !== NAMED_DELTA) || deltas > MOST_DELTAS) return undefined
  let at: number | undefined
  if (type === NAMED_DELTA) {
    const { nameLength } = pack.index
    at = pack.index.find(head.toString("hex", next, next + nameLength))
    next += nameLength
  } else {
    const distance = readDistance(head, next)
    at = offset - distance.value
    next = distance.end
  }
  const base = at === undefined ? undefined : readEntry(pack, wanted, at, deltas + 1)
  const delta = base && inflate(readAt(pack.file, offset + next, MOST_BYTES))
  return delta && applyDelta(base, delta)
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

/**
 * Objects that a pack stores as a difference from another object. Git packs nearly all files and folders that way:
 * without this, a switch in a packed repository would look like the agent's changes. How many bytes before an entry its
 * base begins.
 */
export function readDistance(bytes: Buffer, start: number): { value: number; end: number } {
  let end = start
  let byte = bytes[end++] ?? 0
  let value = byte & 0x7f
  while (byte & 0x80) {
    byte = bytes[end++] ?? 0
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, end }
}

/** Contract: undefined if the delta does not fit its base. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer | undefined {
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
