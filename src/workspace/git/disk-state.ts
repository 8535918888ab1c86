// What is on disk at one path, read now, and whether the way there stays inside the workspace.

import fs from "node:fs"
import { RetconError } from "../../model/failure.ts"
import { checkPath, diskPath, foldersAbove } from "../path.ts"
import type { FileState } from "../port.ts"
import { oidOf } from "./object.ts"
import { readBytes } from "./read-file.ts"

/** Something that is neither file, link nor folder, or cannot be read: never equal to a state of a snapshot. */
export const OTHER = "other"

export function diskState(root: string, path: string): FileState | undefined | typeof OTHER {
  const onDisk = diskPath(root, path)
  const stat = fs.lstatSync(onDisk, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (stat.isDirectory()) return { kind: "folder", perm: stat.mode & 0o7777 }
  if (!stat.isFile() && !stat.isSymbolicLink()) return OTHER
  const kind = stat.isSymbolicLink() ? "link" : "file"
  const bytes = readBytes(onDisk, kind, stat.size)
  if (bytes === undefined || bytes === null) return OTHER
  const oid = oidOf("blob", bytes)
  return kind === "link" ? { kind, oid } : { kind, oid, perm: stat.mode & 0o7777 }
}

/**
 * Contract: throws `unsafe-path` unless the path is plain and every folder above it that exists is a real folder, not a
 * link that leads elsewhere.
 */
export function checkWay(root: string, path: string): void {
  checkPath(path)
  for (const folder of foldersAbove(path)) {
    const stat = fs.lstatSync(diskPath(root, folder), { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) throw new RetconError({ code: "unsafe-path", path, problem: `${folder} is a link` })
  }
}
