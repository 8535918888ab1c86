// Git's objects as bytes: their names, and trees parsed and printed. No disk here.

import { createHash } from "node:crypto"
import { RetconError } from "../../model/failure.ts"
import { byteOrderKey, pathBytes, pathFromBytes, unsafeName } from "../path.ts"

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

/** Sorts in place: by bytes, a folder as if its name ended in a slash. */
export function sortEntries(entries: TreeEntry[]): TreeEntry[] {
  const keyed = entries.map((entry) => ({ key: byteOrderKey(entry.name) + (entry.mode === "40000" ? "/" : ""), entry }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return keyed.map(({ entry }) => entry)
}

/** Contract: the same entries give the same bytes, in any order. */
export function printTree(entries: TreeEntry[]): Buffer {
  const parts: Buffer[] = []
  for (const { mode, name, oid } of sortEntries(entries)) {
    parts.push(Buffer.from(`${mode} `, "latin1"), pathBytes(name), Buffer.from(`00${oid}`, "hex"))
  }
  return Buffer.concat(parts)
}

/** Contract: throws `unsafe-path` when a name could lead out of the workspace or into a `.git` folder. */
export function parseTree(data: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(0x20, at)
    const zero = data.indexOf(0, space)
    if (space < 0 || zero < 0 || zero + 21 > data.length) {
      throw new RetconError({ code: "damaged", path: "tree", line: 0, problem: "a tree object ends early" })
    }
    const name = pathFromBytes(data.subarray(space + 1, zero))
    const problem = unsafeName(name)
    if (problem !== undefined) throw new RetconError({ code: "unsafe-path", path: name, problem })
    entries.push({ mode: data.toString("latin1", at, space), name, oid: data.toString("hex", zero + 1, zero + 21) })
    at = zero + 21
  }
  return entries
}
