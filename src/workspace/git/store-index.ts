// From the index to a snapshot: reads and stores what changed, prints the trees that changed, answers the snapshot's id.

import { diskPath } from "../path.ts"
import type { SnapshotId } from "../port.ts"
import { type Manifest, printManifest, USUAL } from "./manifest.ts"
import { EMPTY_TREE, oidOf, printTree, type TreeEntry } from "./object.ts"
import type { Objects } from "./objects.ts"
import { readBytes } from "./read-file.ts"
import { childPath, type FolderNode, invalidate, stampOf } from "./tree-index.ts"
import type { Unread } from "./walk.ts"

/** `moved`: the manifest may say something else now. */
export type Read = { changed: string[]; moved: boolean }

type Reading = {
  objects: Objects
  root: string
  at: number
  usual: Manifest["usual"]
  breathe: () => Promise<void> | undefined
}

/** Contract: a file that could not be stored is asked for again by the next walk. */
export async function readAll(reading: Reading, unread: Unread[]): Promise<Read> {
  const read: Read = { changed: [], moved: false }
  for (const item of unread) {
    readOne(reading, item, read)
    const pause = reading.breathe()
    if (pause !== undefined) await pause
  }
  return read
}

function readOne({ objects, root, at, usual }: Reading, { folder, name, stat }: Unread, read: Read): void {
  const path = childPath(folder, name)
  const kind = stat.isSymbolicLink() ? "link" : "file"
  const bytes = readBytes(diskPath(root, path), kind, stat.size)
  const known = folder.files.get(name)
  const old = known?.oid === "" ? undefined : known
  if (bytes === undefined || bytes === null) {
    folder.files.delete(name)
    if (bytes === null) folder.skipped.set(name, "unreadable")
    read.moved = true
    folder.listedAt = -1
    if (old === undefined) return
    read.changed.push(path)
    return invalidate(folder)
  }
  const oid = old !== undefined && oidOf("blob", bytes) === old.oid ? old.oid : objects.write("blob", bytes)
  const stamp = stampOf(stat)
  if (stamp.perm !== (old?.perm ?? (stamp.perm & 0o100 ? usual.executable : usual.file))) read.moved = true
  if (old === undefined || old.oid !== oid || old.kind !== kind || (kind === "file" && old.perm !== stamp.perm)) {
    read.changed.push(path)
    invalidate(folder)
  }
  folder.files.set(name, { ...stamp, kind, oid, readAt: at })
}

/** The tree of a folder; an empty folder is the empty tree. Only folders that changed are printed. */
export function writeTree(objects: Objects, folder: FolderNode): string {
  if (folder.tree !== undefined) return folder.tree
  const entries: TreeEntry[] = []
  for (const [name, child] of folder.folders) entries.push({ mode: "40000", name, oid: writeTree(objects, child) })
  for (const [name, node] of folder.files) {
    entries.push({
      mode: node.kind === "link" ? "120000" : node.perm & 0o100 ? "100755" : "100644",
      name,
      oid: node.oid,
    })
  }
  folder.tree = objects.write("tree", entries.length === 0 ? Buffer.alloc(0) : printTree(entries))
  return folder.tree
}

export function manifestOf(root: FolderNode, rest: Pick<Manifest, "rules" | "include">): Manifest {
  const counts = {
    file: new Map<number, number>(),
    executable: new Map<number, number>(),
    folder: new Map<number, number>(),
  }
  const count = (of: Map<number, number>, perm: number) => of.set(perm, (of.get(perm) ?? 0) + 1)
  everyFolder(root, (folder) => {
    if (folder.parent !== undefined) count(counts.folder, folder.perm)
    for (const node of folder.files.values()) {
      if (node.kind === "file") count(node.perm & 0o100 ? counts.executable : counts.file, node.perm)
    }
  })
  const usual = {
    file: commonest(counts.file, USUAL.file),
    executable: commonest(counts.executable, USUAL.executable),
    folder: commonest(counts.folder, USUAL.folder),
  }
  const manifest: Manifest = { usual, perms: new Map(), skipped: new Map(), repositories: [], ...rest }
  everyFolder(root, (folder) => {
    if (folder.parent !== undefined && folder.perm !== usual.folder) manifest.perms.set(folder.path, folder.perm)
    if (folder.isRepository) manifest.repositories.push(folder.path)
    const prefix = folder.path === "" ? "" : `${folder.path}/`
    for (const [name, node] of folder.files) {
      const expected = node.perm & 0o100 ? usual.executable : usual.file
      if (node.kind === "file" && node.perm !== expected) manifest.perms.set(prefix + name, node.perm)
    }
    for (const [name, because] of folder.skipped) manifest.skipped.set(prefix + name, because)
  })
  return manifest
}

function commonest(counts: Map<number, number>, otherwise: number): number {
  let best = otherwise
  for (const [perm, count] of counts) {
    const leads = count - (counts.get(best) ?? 0)
    if (leads > 0 || (leads === 0 && perm < best && best !== otherwise)) best = perm
  }
  return best
}

export function everyFolder(folder: FolderNode, visit: (folder: FolderNode) => void): void {
  visit(folder)
  for (const child of folder.folders.values()) everyFolder(child, visit)
}

/** A snapshot is one small tree: the files, and the manifest beside them. */
export function writeSnapshot(objects: Objects, tree: string, manifest: string): SnapshotId {
  if (tree === EMPTY_TREE) objects.write("tree", Buffer.alloc(0))
  const entries = [
    { mode: "40000", name: "files", oid: tree },
    { mode: "100644", name: "manifest", oid: manifest },
  ]
  return objects.write("tree", printTree(entries)) as SnapshotId
}

export function writeManifest(objects: Objects, manifest: Manifest): string {
  return objects.write("blob", printManifest(manifest))
}
