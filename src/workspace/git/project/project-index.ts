// Which paths a person's repository tracks: its index file, read as data. Tracked files are covered even if they are
// ignored or large. Only the names are used: the content that it names may have gone through filters.
import fs from "node:fs"
import { dirname } from "node:path"
import { errno } from "../../../model/failure/errno.ts"
import { pathFromBytes } from "../../../model/text/path-bytes.ts"

export type Tracked = { files: ReadonlySet<string>; folders: ReadonlySet<string> }

const NOTHING: Tracked = { files: new Set(), folders: new Set() }

/**
 * Contract: an index that is missing, damaged or of an unknown version tracks nothing. `nameLength`: of an object's name
 * in bytes, 20 or 32. Of a split index, what only its shared part has counts as tracked, even if it was removed since.
 */
export function readTracked(file: string, nameLength = 20): Tracked {
  const own = readNames(file, nameLength)
  const shared =
    own.shared === undefined ? [] : readNames(`${dirname(file)}/sharedindex.${own.shared}`, nameLength).names
  // An entry that only updates a shared one has no name.
  const names = [...own.names, ...shared].filter((name) => name !== "")
  return names.length === 0 ? NOTHING : withFolders(names)
}

type IndexNames = { names: string[]; shared?: string | undefined }

function readNames(file: string, nameLength: number): IndexNames {
  let index: Buffer
  try {
    index = fs.readFileSync(file)
  } catch (error) {
    if (isMissing(error)) return { names: [] }
    throw error
  }
  if (index.length < 32 || index.toString("latin1", 0, 4) !== "DIRC") return { names: [] }
  const version = index.readUInt32BE(4)
  return version < 2 || version > 4 ? { names: [] } : parseNames(index, version, nameLength)
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "EACCES", "ENOTDIR", "EISDIR"].includes(errno(error) ?? "")
}

function parseNames(index: Buffer, version: number, nameLength: number): IndexNames {
  const names: string[] = []
  /** What an entry has before its name: ten numbers, the object's name, flags. */
  const fixed = 40 + nameLength + 2
  let previous = Buffer.alloc(0)
  let at = 12
  for (let left = index.readUInt32BE(8); left > 0 && at + fixed <= index.length; left--) {
    const start = at
    const flags = index.readUInt16BE(at + fixed - 2)
    at += flags & 0x4000 ? fixed + 2 : fixed
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
    if (end < 0) return { names }
    const own = index.subarray(at, end)
    const name = version === 4 ? Buffer.concat([previous.subarray(0, previous.length - kept), own]) : own
    names.push(pathFromBytes(name))
    previous = Buffer.from(name)
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7)
  }
  return { names, shared: sharedIndex(index, at, nameLength) }
}

/** The name of the shared part, from the extension that a split index has after its entries. */
function sharedIndex(index: Buffer, start: number, nameLength: number): string | undefined {
  for (let at = start; at + 8 + nameLength <= index.length; at += 8 + index.readUInt32BE(at + 4)) {
    if (index.toString("latin1", at, at + 4) === "link") return index.toString("hex", at + 8, at + 8 + nameLength)
  }
  return undefined
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
