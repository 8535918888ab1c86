// What is on disk at one path right now, and whether the way there stays inside the workspace.
import type { Stats } from "node:fs"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { checkPath, diskPath, type FileState, foldersAbove } from "../../port.ts"
import { lstat } from "../disk/disk.ts"
import type { Folder } from "../disk/folders.ts"
import { readBytes } from "../disk/read-file.ts"
import { oidOf } from "../objects/object.ts"

/** Neither file, link nor folder, or unreadable: never equal to a state in a snapshot. */
export const OTHER = "other"

/** What a name in an open folder is. `spelt`: paths that must be spelt exactly. */
export function stateIn(
  folder: Folder,
  name: string,
  spelt: ReadonlySet<string>,
): FileState | undefined | typeof OTHER {
  const path = folder.path === "" ? name : `${folder.path}/${name}`
  if (spelt.has(path) && !folder.names().includes(name)) return undefined
  const { onDisk } = folder.pathOf(name)
  return stateOf(onDisk, lstat(onDisk))
}

function stateOf(onDisk: string | Buffer, stat: Stats | undefined): FileState | undefined | typeof OTHER {
  if (stat === undefined) return undefined
  if (stat.isDirectory()) return { kind: "folder", perm: stat.mode & 0o7777 }
  if (!stat.isFile() && !stat.isSymbolicLink()) return OTHER
  const kind = stat.isSymbolicLink() ? "link" : "file"
  const bytes = readBytes(onDisk, kind, stat.size)
  if (bytes === undefined || bytes === null) return OTHER
  const oid = oidOf("blob", bytes)
  return kind === "link" ? { kind, oid } : { kind, oid, perm: stat.mode & 0o7777 }
}

/** What is at a path of the workspace: nothing if a folder on the way is a link, because that leads elsewhere. */
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
