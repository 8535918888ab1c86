// Git's objects as bytes: their names, and trees parsed and printed. No disk here.
import { createHash } from "node:crypto"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { byteOrderKey, pathFromBytes } from "../../../model/text/path-bytes.ts"
import { unsafeName } from "../../port.ts"

export type Oid = string
export type ObjectType = "blob" | "tree"
export type StoredObject = { type: ObjectType; data: Buffer }

/** A tree entry. Modes are git's, in octal text: 40000 folder, 100644 file, 100755 executable, 120000 link. */
export type TreeEntry = { mode: string; name: string; oid: Oid }

export const EMPTY_TREE: Oid = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

export function header(type: ObjectType, length: number): string {
  return `${type} ${length}\0`
}

export function oidOf(type: ObjectType, data: Buffer): Oid {
  return createHash("sha1").update(header(type, data.length), "latin1").update(data).digest("hex")
}

const OID = /^[0-9a-f]{40}$/

export function isOid(text: string): boolean {
  return OID.test(text)
}

/**
 * Contract: the same entries give the same bytes, in any order: sorted by bytes, a folder as if it ended with a slash.
 */
export function printTree(entries: TreeEntry[]): Buffer {
  let length = 0
  const keyed = entries.map(({ mode, name, oid }) => {
    const text = byteOrderKey(name)
    length += mode.length + text.length + 22
    return { text, order: mode === "40000" ? `${text}/` : text, mode, oid }
  })
  keyed.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
  const tree = Buffer.allocUnsafe(length)
  let at = 0
  for (const { mode, text, oid } of keyed) {
    at += tree.write(`${mode} ${text}\0`, at, "latin1")
    at += tree.write(oid, at, "hex")
  }
  return tree
}

/**
 * Contract: throws `unsafe-path` if a name could lead out of the workspace or into a `.git` folder. `nameLength`: the bytes of an
 * object's name, which are 32 in a person's repository that uses SHA-256.
 */
export function parseTree(data: Buffer, nameLength = 20): TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(0x20, at)
    const zero = data.indexOf(0, space)
    const next = zero + 1 + nameLength
    if (space < 0 || zero < 0 || next > data.length) {
      throw new RetconError({ code: "damaged", path: "tree", line: 0, problem: "a tree object ends early" })
    }
    const name = pathFromBytes(data.subarray(space + 1, zero))
    const problem = unsafeName(name)
    if (problem !== undefined) throw new RetconError({ code: "unsafe-path", path: name, problem })
    entries.push({ mode: data.toString("latin1", at, space), name, oid: data.toString("hex", zero + 1, next) })
    at = next
  }
  return entries
}
