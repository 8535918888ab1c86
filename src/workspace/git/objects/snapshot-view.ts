// A snapshot opened for reading: the state of any path, and the paths in which two snapshots differ.
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { byteOrderKey } from "../../../model/text/path-bytes.ts"
import { same } from "../../plan/take-back.ts"
import type { FileState, SnapshotId } from "../../port.ts"
import type { Difference } from "../../text/file-changes.ts"
import { type Manifest, parseManifest } from "./manifest.ts"
import { isOid, type Oid, parseTree, type TreeEntry } from "./object.ts"
import type { Objects } from "./objects.ts"

export type SnapshotView = { id: SnapshotId; tree: Oid; manifest: Manifest; objects: Objects; root: string }

/** Contract: throws `snapshot-gone` if the snapshot is not in the store. */
export function openView(objects: Objects, root: string, id: SnapshotId): SnapshotView {
  if (!isOid(id)) throw new RetconError({ code: "snapshot-gone", snapshot: id })
  try {
    const entries = parseTree(objects.read(id).data)
    const tree = entries.find((entry) => entry.name === "files")?.oid ?? ""
    const manifest = entries.find((entry) => entry.name === "manifest")?.oid ?? ""
    return { id, tree, manifest: parseManifest(objects.read(manifest).data), objects, root }
  } catch (error) {
    if (error instanceof RetconError && error.code === "snapshot-gone") {
      throw new RetconError({ code: "snapshot-gone", snapshot: id }, { cause: error })
    }
    throw error
  }
}

export function entriesOf(view: SnapshotView, oid: Oid): TreeEntry[] {
  return view.objects.tree(oid)
}

/** The names in a folder of the snapshot; none if it is not a folder. */
export function childrenAt(view: SnapshotView, path: string): string[] {
  const oid = treeAt(view, path)
  return oid === undefined ? [] : entriesOf(view, oid).map((entry) => entry.name)
}

function treeAt(view: SnapshotView, path: string): Oid | undefined {
  let oid: Oid | undefined = view.tree
  for (const name of path === "" ? [] : path.split("/")) {
    if (oid === undefined) return undefined
    oid = entriesOf(view, oid).find((entry) => entry.name === name && entry.mode === "40000")?.oid
  }
  return oid
}

export function stateOf(view: SnapshotView, path: string, entry: TreeEntry): FileState {
  const { usual, perms } = view.manifest
  if (entry.mode === "40000") return { kind: "folder", perm: perms.get(path) ?? usual.folder }
  if (entry.mode === "120000") return { kind: "link", oid: entry.oid }
  return {
    kind: "file",
    oid: entry.oid,
    perm: perms.get(path) ?? (entry.mode === "100755" ? usual.executable : usual.file),
  }
}

export function stateAt(view: SnapshotView, path: string): FileState | undefined {
  let entry: TreeEntry | undefined = { mode: "40000", name: "", oid: view.tree }
  for (const name of path.split("/")) {
    if (entry?.mode !== "40000") return undefined
    entry = entriesOf(view, entry.oid).find((candidate) => candidate.name === name)
  }
  return entry && stateOf(view, path, entry)
}

/** Contract: every path that differs, folders included, parents before children. Equal subtrees are not read. */
export function differences(from: SnapshotView, to: SnapshotView): Difference[] {
  const found: Difference[] = []
  const usualDiffers = JSON.stringify(from.manifest.usual) !== JSON.stringify(to.manifest.usual)
  const permFolders = usualDiffers ? undefined : foldersWithPermChanges(from.manifest.perms, to.manifest.perms)

  function below(path: string, a: Oid | undefined, b: Oid | undefined): void {
    if (a === b && permFolders !== undefined && !permFolders.has(path)) return
    const before = new Map((a === undefined ? [] : entriesOf(from, a)).map((entry) => [entry.name, entry]))
    const after = new Map((b === undefined ? [] : entriesOf(to, b)).map((entry) => [entry.name, entry]))
    const names = [...new Set([...before.keys(), ...after.keys()])].sort(byBytes)
    for (const name of names) {
      const child = path === "" ? name : `${path}/${name}`
      const old = before.get(name)
      const now = after.get(name)
      const oldState = old && stateOf(from, child, old)
      const newState = now && stateOf(to, child, now)
      if (!same(oldState, newState)) found.push({ path: child, from: oldState, to: newState })
      const oldTree = old?.mode === "40000" ? old.oid : undefined
      const newTree = now?.mode === "40000" ? now.oid : undefined
      if (oldTree !== undefined || newTree !== undefined) below(child, oldTree, newTree)
    }
  }
  below("", from.tree, to.tree)
  return found
}

function byBytes(a: string, b: string): number {
  const [x, y] = [byteOrderKey(a), byteOrderKey(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

function foldersWithPermChanges(a: Map<string, number>, b: Map<string, number>): Set<string> {
  const folders = new Set<string>()
  for (const path of new Set([...a.keys(), ...b.keys()])) {
    if (a.get(path) === b.get(path)) continue
    for (let at = path; at !== ""; ) {
      at = at.slice(0, Math.max(0, at.lastIndexOf("/")))
      folders.add(at)
    }
  }
  return folders
}
