// What is on disk at one path, read now, and whether the way there stays inside the workspace.

import type { Stats } from "node:fs"
import { RetconError } from "../../model/failure.ts"
import { checkPath, diskPath, foldersAbove } from "../path.ts"
import type { FileState } from "../port.ts"
import { lstat } from "./lstat.ts"
import { oidOf } from "./object.ts"
import { readBytes } from "./read-file.ts"

/** Something that is neither file, link nor folder, or cannot be read: never equal to a state of a snapshot. */
export const OTHER = "other"

export function diskState(root: string, path: string): FileState | undefined | typeof OTHER {
  const stat = lstatInside(root, path)
  if (stat === undefined) return undefined
  if (stat.isDirectory()) return { kind: "folder", perm: stat.mode & 0o7777 }
  if (!stat.isFile() && !stat.isSymbolicLink()) return OTHER
  const kind = stat.isSymbolicLink() ? "link" : "file"
  const bytes = readBytes(diskPath(root, path), kind, stat.size)
  if (bytes === undefined || bytes === null) return OTHER
  const oid = oidOf("blob", bytes)
  return kind === "link" ? { kind, oid } : { kind, oid, perm: stat.mode & 0o7777 }
}

/** What is at a path of the workspace. Nothing is, when a folder on the way is a link: that leads elsewhere. */
export function lstatInside(root: string, path: string): Stats | undefined {
  return linkAbove(root, path) === undefined ? lstat(diskPath(root, path)) : undefined
}

function linkAbove(root: string, path: string): string | undefined {
  return foldersAbove(path).find((folder) => lstat(diskPath(root, folder))?.isSymbolicLink())
}

/**
 * Contract: throws `unsafe-path` unless the path is plain and every folder above it that exists is a real folder, not a
 * link that leads elsewhere. `turned`: links that become folders before this path is written.
 */
export function checkWay(root: string, path: string, turned?: ReadonlySet<string>): void {
  checkPath(path)
  const link = linkAbove(root, path)
  if (link === undefined || turned?.has(link)) return
  throw new RetconError({ code: "unsafe-path", path, problem: `${link} is a link` })
}
