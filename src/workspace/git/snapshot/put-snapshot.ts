// A snapshot of given bytes, such as another program's copies of files. It covers these paths and nothing else.
import fs from "node:fs"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { checkPath, diskPath, type FileBytes, foldersAbove, nameOf, parentOf, type SnapshotId } from "../../port.ts"
import { type Manifest, USUAL } from "../objects/manifest.ts"
import { printTree, type TreeEntry } from "../objects/object.ts"
import { gcMark, type OpenWorkspace } from "./open-workspace.ts"
import { writeManifest, writeSnapshot } from "./store-index.ts"

/** Contract: equal bytes and paths give equal ids, as long as the permissions on disk are the same. */
export async function putSnapshot(workspace: OpenWorkspace, files: readonly FileBytes[]): Promise<SnapshotId> {
  const gc = gcMark(workspace.sharedFolder)
  if (gc !== workspace.gcSeen) workspace.objects.forget()
  workspace.gcSeen = gc
  const manifest: Manifest = { usual: USUAL, perms: new Map(), skipped: new Map(), repositories: [], only: new Set() }
  const folders = new Map<string, TreeEntry[]>([["", []]])
  for (const file of files) {
    const path = checkPath(file.path)
    if (manifest.only?.has(path)) throw twice(path)
    manifest.only?.add(path)
    if (file.bytes !== null) addFile(workspace, manifest, folders, { ...file, bytes: file.bytes })
  }
  const clash = [...(manifest.only ?? [])].find((path) => folders.has(path) && hasFile(folders, path))
  if (clash !== undefined) throw twice(clash)
  const tree = writeFolders(workspace, folders)
  const id = writeSnapshot(workspace.objects, tree, writeManifest(workspace.objects, manifest))
  await workspace.objects.sync()
  return id
}

function twice(path: string): RetconError {
  return new RetconError({ code: "unsafe-path", path, problem: "it is named twice, or as a file and as a folder" })
}

function hasFile(folders: ReadonlyMap<string, TreeEntry[]>, path: string): boolean {
  return folders.get(parentOf(path))?.some(({ name, mode }) => name === nameOf(path) && mode !== "40000") === true
}

function addFile(
  workspace: OpenWorkspace,
  manifest: Manifest,
  folders: Map<string, TreeEntry[]>,
  { path, bytes, perm: given }: FileBytes & { bytes: Uint8Array },
): void {
  const perm = given ?? permOnDisk(workspace, path, "file") ?? USUAL.file
  const executable = (perm & 0o100) !== 0
  if (perm !== (executable ? USUAL.executable : USUAL.file)) manifest.perms.set(path, perm)
  for (const folder of foldersAbove(path)) {
    if (folders.has(folder)) break
    folders.set(folder, [])
    const own = permOnDisk(workspace, folder, "folder") ?? USUAL.folder
    if (own !== USUAL.folder) manifest.perms.set(folder, own)
  }
  const oid = workspace.objects.write("blob", Buffer.from(bytes))
  folders.get(parentOf(path))?.push({ mode: executable ? "100755" : "100644", name: nameOf(path), oid })
}

/** Permissions were not recorded, so we assume the current ones. */
function permOnDisk({ root }: OpenWorkspace, path: string, kind: "file" | "folder"): number | undefined {
  try {
    const stat = fs.lstatSync(diskPath(root, path))
    return (kind === "file" ? stat.isFile() : stat.isDirectory()) ? stat.mode & 0o777 : undefined
  } catch {
    return undefined
  }
}

/** Deepest folders first, so that each exists before its parent is written. */
function writeFolders({ objects }: OpenWorkspace, folders: Map<string, TreeEntry[]>): string {
  const deepestFirst = [...folders.keys()].filter((path) => path !== "").sort((a, b) => depth(b) - depth(a))
  const write = (entries: TreeEntry[]) =>
    objects.write("tree", entries.length === 0 ? Buffer.alloc(0) : printTree(entries))
  for (const path of deepestFirst) {
    const oid = write(folders.get(path) ?? [])
    folders.get(parentOf(path))?.push({ mode: "40000", name: nameOf(path), oid })
  }
  return write(folders.get("") ?? [])
}

function depth(path: string): number {
  return path.split("/").length
}
