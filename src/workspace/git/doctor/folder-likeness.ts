// Whether a folder looks like another one that is gone: by a commit of its repository, or by the files of a snapshot.
import fs from "node:fs"
import nodePath from "node:path"
import { errno, RetconError } from "../../../model/failure/retcon-error.ts"
import { diskPath, type SnapshotId } from "../../port.ts"
import { lstat, openDisk } from "../disk/disk.ts"
import { isOid, oidOf } from "../objects/object.ts"
import { openObjects } from "../objects/objects.ts"
import { entriesOf, openView, type SnapshotView } from "../objects/snapshot-view.ts"
import { projectAround } from "../project/project.ts"
import { openProjectObjects } from "../project/project-objects.ts"
import { storesFolder } from "../project/store-folder.ts"

/** Looks for at most this many files, those near the top first. */
const MOST_FILES = 1000
/** Reads at most this many, to see whether one is the same. */
const MOST_READ = 20
const LARGEST_READ = 1 << 20

/** Whether the repository around a folder has a commit. Reads its files as data, without running git. */
export function knowsCommit(folder: string, commit: string): boolean {
  const project = projectAround(folder)
  if (project === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return false
  const objects = openProjectObjects(project)
  try {
    return objects.read("commit", commit) !== undefined
  } finally {
    objects.close()
  }
}

export interface Likeness {
  /** How many of the snapshot's files are here, 0 to 1. */
  share: number
  /** At least one of them is the same, byte for byte. */
  same: boolean
}

/** Contract: undefined for a snapshot that has no files or cannot be read. Writes nothing. */
export function likeness(wanted: {
  home: string
  store: string
  snapshot: string
  root: string
}): Likeness | undefined {
  if (!isOid(wanted.snapshot)) return undefined
  const folder = nodePath.join(storesFolder(wanted.home), wanted.store, "objects")
  const objects = openObjects(openDisk(), folder, () => 0)
  try {
    const files = filesOf(openView(objects, wanted.root, wanted.snapshot as SnapshotId))
    if (files.length === 0) return undefined
    const here = files.filter(({ path }) => lstat(diskPath(wanted.root, path)) !== undefined)
    const same = here.slice(0, MOST_READ).some(({ path, oid }) => isSame(diskPath(wanted.root, path), oid))
    return { share: here.length / files.length, same }
  } catch (error) {
    if (error instanceof RetconError) return undefined
    throw error
  } finally {
    objects.close()
  }
}

function filesOf(view: SnapshotView): { path: string; oid: string }[] {
  const files: { path: string; oid: string }[] = []
  const folders = [{ path: "", oid: view.tree }]
  for (const folder of folders) {
    for (const { mode, name, oid } of entriesOf(view, folder.oid)) {
      const path = folder.path === "" ? name : `${folder.path}/${name}`
      if (mode === "40000") folders.push({ path, oid })
      else if (files.push({ path, oid }) === MOST_FILES) return files
    }
  }
  return files
}

function isSame(path: string | Buffer, oid: string): boolean {
  const stat = lstat(path)
  if (stat?.isFile() !== true || stat.size > LARGEST_READ) return false
  try {
    return oidOf("blob", fs.readFileSync(path)) === oid
  } catch (error) {
    if (errno(error) === undefined) throw error
    return false
  }
}
