// From the index to a snapshot: stores what changed, writes the trees that changed, returns the snapshot's id.
import { isEscaped } from "../../../model/text/path-bytes.ts"
import { diskPath, type SnapshotId } from "../../port.ts"
import { chunks, pathList, type ReadChunk, type ReadFile } from "../bulk/helper-job.ts"
import type { HelperThread } from "../bulk/helper-thread.ts"
import { readBytes } from "../disk/read-file.ts"
import { type Manifest, printManifest, USUAL } from "../objects/manifest.ts"
import { EMPTY_TREE, oidOf, printTree, type TreeEntry } from "../objects/object.ts"
import type { Objects } from "../objects/objects.ts"
import { kindOf } from "../walk/stat-source.ts"
import { childPath, everyFolder, type FileNode, type FolderNode, invalidate, stampOf } from "../walk/tree-index.ts"
import type { Unread } from "../walk/walk.ts"

/** `moved`: the manifest may have changed. `grown`: a path was added or removed. */
export type Read = { changed: string[]; moved: boolean; grown: boolean }

type Reading = {
  objects: Objects
  root: string
  at: number
  usual: Manifest["usual"]
  breathe: () => Promise<void> | undefined
  /** For mass reading: the helper thread takes part, and files above the limit are left to this thread. */
  help?: { helper: HelperThread; limit: number }
}

/** Contract: the next walk tries again to read a file that could not be stored. */
export async function readAll(reading: Reading, unread: Unread[]): Promise<Read> {
  const { objects, root, breathe, help } = reading
  const outcome: Read = { changed: [], moved: false, grown: false }
  if (help === undefined) {
    for (const item of unread) {
      readOne(reading, item, outcome)
      const pause = breathe()
      if (pause !== undefined) await pause
    }
    return outcome
  }
  await readMany({
    ...help,
    root,
    breathe,
    paths: unread.map(({ folder, name }) => childPath(folder, name)),
    read: (i) => readOne(reading, unread[i] as Unread, outcome),
    take(i, { stat, oid }, raw) {
      const { folder, name } = unread[i] as Unread
      objects.writeRaw(oid, raw)
      accept(reading, { folder, name, stat }, "file", oid, outcome)
    },
  })
  return outcome
}

function readOne(reading: Reading, { folder, name, stat }: Unread, read: Read): void {
  const { objects, root } = reading
  const path = childPath(folder, name)
  const kind = kindOf(stat) === "link" ? "link" : "file"
  const bytes = readBytes(diskPath(root, path), kind, stat.size)
  const old = readBefore(folder, name)
  if (bytes !== undefined && bytes !== null) {
    const oid = old !== undefined && oidOf("blob", bytes) === old.oid ? old.oid : objects.write("blob", bytes)
    accept(reading, { folder, name, stat }, kind, oid, read)
    return
  }
  folder.files.delete(name)
  read.grown = true
  if (bytes === null) folder.skipped.set(name, "unreadable")
  read.moved = true
  folder.listedAt = -1
  if (old === undefined) return
  read.changed.push(path)
  invalidate(folder)
}

function readBefore(folder: FolderNode, name: string): FileNode | undefined {
  const known = folder.files.get(name)
  return known?.oid === "" ? undefined : known
}

function accept(
  { at, usual }: Reading,
  { folder, name, stat }: Unread,
  kind: "file" | "link",
  oid: string,
  read: Read,
): void {
  const old = readBefore(folder, name)
  const stamp = stampOf(stat)
  if (old === undefined) read.grown = true
  if (stamp.perm !== (old?.perm ?? (stamp.perm & 0o100 ? usual.executable : usual.file))) read.moved = true
  if (old === undefined || old.oid !== oid || old.kind !== kind || (kind === "file" && old.perm !== stamp.perm)) {
    read.changed.push(childPath(folder, name))
    invalidate(folder)
  }
  const { size, mtime, ctime, inode, perm } = stamp
  folder.files.set(name, { kind, oid, size, mtime, ctime, inode, perm, readAt: at })
}

/** The tree of a folder; an empty folder is the empty tree. Writes only folders that changed. */
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

export function manifestOf(root: FolderNode): Manifest {
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
  const manifest: Manifest = { usual, perms: new Map(), skipped: new Map(), repositories: [] }
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

type ReadMany = {
  helper: HelperThread
  root: string
  paths: string[]
  limit: number
  breathe: () => Promise<void> | undefined
  /** Reads and stores one file on this thread. */
  read: (i: number) => void
  /** Stores one file that the helper read. */
  take: (i: number, file: ReadFile, raw: Buffer) => void
}

/**
 * Reads many files, on this thread and the helper thread together. For first snapshots and mass changes: the helper
 * reads, hashes and compresses; what it could not read is left to the main thread. Contract: each path is read or taken
 * exactly once, in any order. If one cannot be, throws, and neither thread works on any of them any longer.
 */
export async function readMany({ helper, root, paths, limit, breathe, read, take }: ReadMany): Promise<void> {
  const done = new Uint8Array(paths.length)
  const takeAll = ({ start, files, raw }: ReadChunk) => {
    const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
    let at = 0
    files.forEach((file, i) => {
      if (file === undefined) return
      // What such a name leads to as text is another file.
      if (!isEscaped(paths[start + i] as string)) {
        take(start + i, file, bytes.subarray(at, at + file.length))
        done[start + i] = 1
      }
      at += file.length
    })
  }
  const list = pathList(root, paths)
  // Worth it even if the helper has to start first.
  helper.isReady()
  await using job = helper.start(list, { kind: "read", limit })
  for (const { start, end } of chunks(list)) {
    for (let i = start; i < end; i++) {
      read(i)
      done[i] = 1
    }
    job.arrived().forEach(takeAll)
    const pause = breathe()
    if (pause !== undefined) await pause
  }
  await job.ended
  job.arrived().forEach(takeAll)
  // What the helper could not read, or lost when it died.
  for (let i = 0; i < paths.length; i++) if (done[i] === 0) read(i)
}
