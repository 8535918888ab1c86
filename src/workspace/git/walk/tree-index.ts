// What we know about the files on disk: a tree of folders with, for each file, its oid and the stat it had then.
import type { Rules } from "../../../ignore/rules.ts"
import type { NotCoveredReason } from "../../../model/move/file-outcomes.ts"
import type { Stat } from "../bulk/stat-rows.ts"
import type { Oid } from "../objects/object.ts"

/** The parts of a stat that change whenever content, kind or permissions may have changed. Times in milliseconds. */
export type Stamp = { size: number; mtime: number; ctime: number; inode: number; perm: number }

export type FileNode = Stamp & {
  kind: "file" | "link"
  oid: Oid
  /** When the content was read; a file that changed at that very moment looks unchanged. */
  readAt: number
}

export type FolderNode = {
  parent: FolderNode | undefined
  path: string
  files: Map<string, FileNode>
  folders: Map<string, FolderNode>
  /** Children that exist but are not covered. */
  skipped: Map<string, NotCoveredReason>
  perm: number
  mtime: number
  ctime: number
  inode: number
  listedAt: number
  /** What applied when the folder was listed: the rules from above, this folder's own text, and both together. */
  above: Rules | undefined
  ownRules: Buffer | undefined
  rules: Rules | undefined
  /** It is a repository: the rules of the folders above end here. */
  isRepository: boolean
  tree: Oid | undefined
}

export function newFolder(parent: FolderNode | undefined, path: string): FolderNode {
  return {
    parent,
    path,
    files: new Map(),
    folders: new Map(),
    skipped: new Map(),
    perm: 0o755,
    mtime: -1,
    ctime: -1,
    inode: -1,
    listedAt: -1,
    above: undefined,
    ownRules: undefined,
    rules: undefined,
    isRepository: false,
    tree: undefined,
  }
}

/** Call after any change in a folder: the trees up to the root must be written again. */
export function invalidate(folder: FolderNode): void {
  for (let at: FolderNode | undefined = folder; at !== undefined && at.tree !== undefined; at = at.parent)
    at.tree = undefined
}

export function stampOf(stat: Stat): Stamp {
  return { size: stat.size, mtime: stat.mtimeMs, ctime: stat.ctimeMs, inode: stat.ino, perm: stat.mode & 0o7777 }
}

/** File systems that store whole seconds need a wide margin, others one of the kernel's clock tick. */
function isRecent(time: number, seenAt: number): boolean {
  return time >= seenAt - (time % 1000 === 0 ? 2100 : 30)
}

/** True if a file cannot have changed since its content was read. */
export function isUnchanged(node: FileNode, stat: Stat): boolean {
  return (
    node.mtime === stat.mtimeMs &&
    node.ctime === stat.ctimeMs &&
    node.size === stat.size &&
    node.inode === stat.ino &&
    !isRecent(node.mtime, node.readAt) &&
    !isRecent(node.ctime, node.readAt)
  )
}

/** True if no entry can have been added to or removed from the folder since it was listed. */
export function isSameListing(folder: FolderNode, stat: Stat): boolean {
  return (
    folder.mtime === stat.mtimeMs &&
    folder.ctime === stat.ctimeMs &&
    folder.inode === stat.ino &&
    !isRecent(folder.mtime, folder.listedAt) &&
    !isRecent(folder.ctime, folder.listedAt)
  )
}

export function findFolder(root: FolderNode, path: string): FolderNode | undefined {
  let at: FolderNode | undefined = root
  if (path !== "") for (const name of path.split("/")) at = at?.folders.get(name)
  return at
}

export function childPath(folder: FolderNode, name: string): string {
  return folder.path === "" ? name : `${folder.path}/${name}`
}

export function everyFolder(folder: FolderNode, visit: (folder: FolderNode) => void): void {
  visit(folder)
  for (const child of folder.folders.values()) everyFolder(child, visit)
}
