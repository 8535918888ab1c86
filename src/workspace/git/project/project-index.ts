// Which paths a person's repository tracks: its index file, read as data. Tracked files are covered even if they are
// ignored or large. Only the names are used: the content that it names may have gone through filters.

import fs from "node:fs"
import { errno } from "../../../model/failure/system-failure.ts"
import { pathFromBytes } from "../../../model/text/path-bytes.ts"

export type Tracked = { files: ReadonlySet<string>; folders: ReadonlySet<string> }

const NOTHING: Tracked = { files: new Set(), folders: new Set() }

/** Contract: an index that is missing, damaged or of an unknown version tracks nothing. */
export function readTracked(file: string): Tracked {
  let index: Buffer
  try {
    index = fs.readFileSync(file)
  } catch (error) {
    if (isMissing(error)) return NOTHING
    throw error
  }
  if (index.length < 32 || index.toString("latin1", 0, 4) !== "DIRC") return NOTHING
  const version = index.readUInt32BE(4)
  if (version < 2 || version > 4) return NOTHING
  return withFolders(parseNames(index, version))
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "EACCES", "ENOTDIR", "EISDIR"].includes(errno(error) ?? "")
}

function parseNames(index: Buffer, version: number): string[] {
  const names: string[] = []
  let previous = Buffer.alloc(0)
  let at = 12
  for (let left = index.readUInt32BE(8); left > 0 && at + 62 <= index.length; left--) {
    const start = at
    const flags = index.readUInt16BE(at + 60)
    at += flags & 0x4000 ? 64 : 62
    let kept = 0
    if (version === 4) {
      let byte = index[at++] ?? 0
      kept = byte & 0x7f
      while (byte & 0x80) {
        byte = index[at++] ?? 0
        kept = (kept + 1) * 128 + (byte & 0x7f)
      }
    }
    const end = index.indexOf(0, at)
    if (end < 0) return names
    const own = index.subarray(at, end)
    const name = version === 4 ? Buffer.concat([previous.subarray(0, previous.length - kept), own]) : own
    names.push(pathFromBytes(name))
    previous = Buffer.from(name)
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7)
  }
  return names
}

function withFolders(names: string[]): Tracked {
  const folders = new Set<string>()
  for (const name of names) {
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
      const folder = name.slice(0, at)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return { files: new Set(names), folders }
}
