// The state of one open workspace: where it is, its object store, and this session's index.
import fs from "node:fs"
import { makeFolders } from "../../../model/failure/system-failure.ts"
import type { SnapshotId, WorkspaceSettings } from "../../port.ts"
import type { HelperThread } from "../bulk/helper-thread.ts"
import type { StatMany } from "../bulk/stat-many.ts"
import type { Disk } from "../disk/disk.ts"
import { type Manifest, USUAL } from "../objects/manifest.ts"
import type { Objects } from "../objects/objects.ts"
import type { Includes } from "../walk/include.ts"
import type { FolderNode } from "../walk/tree-index.ts"

export type OpenWorkspace = {
  /** The workspace's path, absolute, with links resolved. */
  root: string
  /** Our folder for this workspace, absolute. */
  folder: string
  /** The one with its objects: the same, unless this is a copy of another workspace. */
  sharedFolder: string
  ownHome: string
  /** The session that the index belongs to. */
  session: string
  settings: WorkspaceSettings
  includes: Includes
  disk: Disk
  objects: Objects
  clock: () => number
  /** The file with what the person ignores everywhere. */
  personIgnore: string | undefined
  /** What is known of the files. While a snapshot is taken, and after one that failed, it is torn: not to be used. */
  index: FolderNode
  isTorn: boolean
  helper: HelperThread
  statMany: StatMany
  /** All known paths, until one is added or removed. */
  known: string[] | undefined
  manifest: { oid: string; value: Manifest } | undefined
  last: SnapshotId | undefined
  /** What this process's last snapshot left out. */
  leftOut: LeftOutPaths | undefined
  indexSaved: boolean
  /** The last `gc` that this session knows of. */
  gcSeen: number
}

/** Paths that exist but that no snapshot covers. */
export type LeftOutPaths = { skipped: ReadonlyMap<string, unknown>; repositories: ReadonlySet<string> }

export const NO_MANIFEST: Manifest = {
  usual: USUAL,
  perms: new Map(),
  skipped: new Map(),
  repositories: [],
}

export function ensureFolder(path: string): void {
  makeFolders(path, (folder) => fs.mkdirSync(folder, { mode: 0o700 }))
}

/** Changes whenever `gc` has run, in any process: then we must check again what is in the store. */
export function gcMark(folder: string): number {
  return fs.statSync(`${folder}/gc-done`, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
