// What a restore keeps beside the real files: new content until it is renamed, old content until all is final.
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { diskPath, foldersAbove, parentOf } from "../../port.ts"
import { type Disk, lstat, type ShownPath } from "../disk/disk.ts"
import type { Folder, Folders } from "../disk/folders.ts"
import { folded } from "../disk/spelling.ts"
import { stagedName } from "../disk/stage-name.ts"
import { syncAll } from "../disk/sync-all.ts"
import type { Objects } from "../objects/objects.ts"
import type { JournalAction } from "./journal.ts"

export type RestoreWork = {
  id: string
  root: string
  disk: Disk
  objects: Objects
  folders: Folders
  actions: JournalAction[]
  clock: () => number
  /** By row: what the system said of a file that was moved aside, when its bytes were compared. */
  looks: Map<number, Look>
}

/** `isSettled`: written to so long before the look that a later change has a later time. */
export type Look = { size: number; mtimeMs: number; isSettled: boolean }
export type Slot = "new" | "old"

/** The folders that an action works in: that of its path, and that of its staged files. */
export type Hands = { parent: Folder; staging: Folder }

export function stagedIn(folder: Folder, work: RestoreWork, row: number, which: Slot): ShownPath {
  return folder.pathOf(stagedName(work.id, row, which))
}

/** Where to stage: the nearest folder above that exists and stays. */
export function stagingFolder(root: string, path: string, goes: ReadonlySet<string>): string {
  const folders = foldersAbove(path)
  return folders.find((at) => !goes.has(folded(at)) && lstat(diskPath(root, at))?.isDirectory()) ?? ""
}

/** Contract: undefined if the folder does not exist, or if a link in its place leads elsewhere. */
export function reach(folders: Folders, path: string): Folder | undefined {
  try {
    return folders.at(path)
  } catch (error) {
    if (error instanceof RetconError && error.code === "unsafe-path") return undefined
    throw error
  }
}

/** Makes the renames durable. */
export async function syncFolders(work: RestoreWork): Promise<void> {
  const folders = new Set(work.actions.flatMap(({ path, folder }) => [parentOf(path), folder]))
  await syncAll([...folders].map((folder) => () => reach(work.folders, folder)?.open()))
}

/** Remove files, remove folders, create folders, create files. */
export function rowsInOrder(actions: JournalAction[]): number[] {
  const keyed = actions.map(({ path, from, to }, row) => {
    const depth = path.split("/").length
    if (to === undefined) return from?.kind === "folder" ? { row, phase: 1, rank: -depth } : { row, phase: 0, rank: 0 }
    if (from?.kind === "folder" && to.kind !== "folder") return { row, phase: 2, rank: -depth }
    return to.kind === "folder" ? { row, phase: 3, rank: depth } : { row, phase: 4, rank: 0 }
  })
  return keyed.sort((a, b) => a.phase - b.phase || a.rank - b.rank || a.row - b.row).map(({ row }) => row)
}
