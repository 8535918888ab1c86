// Carries out the actions of a restore. New content is staged beside its target; what was there is moved aside and stays
// beside it until the restore is final, so putting it back needs no space.
import fs from "node:fs"
import { errno } from "../../../model/failure/retcon-error.ts"
import { same } from "../../plan/take-back.ts"
import { type FileState, nameOf, parentOf } from "../../port.ts"
import { lstat, type ShownPath } from "../disk/disk.ts"
import type { Folder } from "../disk/folders.ts"
import { syncAll } from "../disk/sync-all.ts"
import { OTHER } from "../snapshot/disk-state.ts"
import type { JournalAction } from "./journal.ts"
import { putBackRow } from "./put-back.ts"
import { ChangedMeanwhile, install, moveAside } from "./slots.ts"
import { type Hands, type RestoreWork, reach, rowsInOrder, stagedIn } from "./staged.ts"

/** Writes all new content beside its targets, and makes it durable. Touches nothing that exists. */
export async function stage(work: RestoreWork): Promise<void> {
  const written: number[] = []
  for (const [row, { folder: path, to }] of work.actions.entries()) {
    if (to === undefined || to.kind === "folder") continue
    const folder = standing(work, path, path)
    stageRow(work, row, folder, to)
    if (!folder.stands()) {
      work.disk.unlink(stagedIn(folder, work, row, "new"))
      throw new ChangedMeanwhile(path)
    }
    if (to.kind === "file") written.push(row)
  }
  await syncAll(
    written.map((row) => () => {
      const folder = work.folders.at((work.actions[row] as JournalAction).folder)
      return folder && fs.openSync(stagedIn(folder, work, row, "new").onDisk, "r")
    }),
  )
}

function stageRow(work: RestoreWork, row: number, folder: Folder, to: Exclude<FileState, { kind: "folder" }>): void {
  const staged = stagedIn(folder, work, row, "new")
  const { data } = work.objects.read(to.oid)
  if (to.kind === "link") work.disk.linkNew(staged, data)
  else work.disk.writeNew(staged, data, { mode: 0o600, sync: false })
  keepOwner(work, row, folder, staged)
  if (to.kind === "file") work.disk.chmod(staged, to.perm)
}

/** A file keeps its owner even if root restores it; a new one gets the owner of its folder. */
function keepOwner(work: RestoreWork, row: number, folder: Folder, staged: ShownPath): void {
  if (process.getuid?.() !== 0) return
  const { path, from } = work.actions[row] as JournalAction
  const parent = folder.path === parentOf(path) ? folder : reach(work.folders, parentOf(path))
  const old = from === undefined ? undefined : parent && lstat(parent.pathOf(nameOf(path)).onDisk)
  const owner = old ?? lstat((parent ?? folder).pathOf(".").onDisk)
  const mine = lstat(staged.onDisk)
  if (owner === undefined || (owner.uid === mine?.uid && owner.gid === mine.gid)) return
  work.disk.chown(staged, { uid: owner.uid, gid: owner.gid })
}

function standing(work: RestoreWork, path: string, wanted: string): Folder {
  const folder = work.folders.at(path)
  if (folder === undefined) throw new ChangedMeanwhile(wanted)
  return folder
}

/** In this order: remove files, remove folders, create folders, create files. Each is checked when it is moved aside. */
export function apply(work: RestoreWork): void {
  for (const row of rowsInOrder(work.actions)) {
    const { path, from, folder } = work.actions[row] as JournalAction
    const parent = standing(work, parentOf(path), path)
    const hands = { parent, staging: folder === parent.path ? parent : standing(work, folder, path) }
    if (!isOfKind(parent, nameOf(path), from, work.folders.spelt)) throw new ChangedMeanwhile(path)
    applyRow(work, row, hands)
    if (parent.stands() && (hands.staging === parent || hands.staging.stands())) continue
    putBackRow(work, row, hands)
    throw new ChangedMeanwhile(path)
  }
}

/** A first look without reading, so that a folder in place of a file is not moved aside with all that is in it. */
function isOfKind(parent: Folder, name: string, expected: FileState | undefined, spelt: ReadonlySet<string>): boolean {
  const path = parent.path === "" ? name : `${parent.path}/${name}`
  const stat = spelt.has(path) && !parent.names().includes(name) ? undefined : lstat(parent.pathOf(name).onDisk)
  if (stat === undefined || expected === undefined) return stat === expected
  if (expected.kind === "folder") return stat.isDirectory()
  return expected.kind === "link" ? stat.isSymbolicLink() : stat.isFile()
}

function applyRow(work: RestoreWork, row: number, hands: Hands): void {
  const { path, from, to } = work.actions[row] as JournalAction
  const target = hands.parent.pathOf(nameOf(path))
  if (from?.kind === "folder" && to?.kind === "folder") {
    work.disk.chmod(target, to.perm)
    return
  }
  if (from?.kind === "folder") removeFolder(work, target, path, to)
  else if (from !== undefined) moveAside(work, row, hands)
  if (to?.kind === "folder") makeFolder(work, hands.parent, path, to.perm)
  else if (to !== undefined) bring(work, row, hands)
}

/** Contract: true if the path is as the plan expects. A folder's contents and permissions are not compared. */
export function isAsExpected(now: FileState | undefined | typeof OTHER, expected: FileState | undefined): boolean {
  if (now === OTHER) return false
  if (expected?.kind === "folder") return now?.kind === "folder"
  return same(now, expected)
}

/** A folder that still contains something that is not covered stays, unless a file has to take its place. */
function removeFolder(work: RestoreWork, target: ShownPath, path: string, to: FileState | undefined): void {
  try {
    work.disk.rmdir(target)
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes(errno(error) ?? "")) throw error
    if (to !== undefined) throw new ChangedMeanwhile(path)
  }
}

function makeFolder(work: RestoreWork, parent: Folder, path: string, perm: number): void {
  const target = parent.pathOf(nameOf(path))
  try {
    work.disk.mkdir(target, 0o700)
  } catch (error) {
    if (errno(error) === "EEXIST") throw new ChangedMeanwhile(path)
    throw error
  }
  const owner = process.getuid?.() === 0 ? lstat(parent.pathOf(".").onDisk) : undefined
  if (owner !== undefined && owner.uid !== 0) work.disk.chown(target, { uid: owner.uid, gid: owner.gid })
  work.disk.chmod(target, perm)
}

/** Once it is in place it is no longer in "new": that shows a restore which has to be taken back how far this one got. */
function bring(work: RestoreWork, row: number, { parent, staging }: Hands): void {
  const { path } = work.actions[row] as JournalAction
  const staged = stagedIn(staging, work, row, "new")
  if (!install(work, staged, parent.pathOf(nameOf(path)))) throw new ChangedMeanwhile(path)
  work.disk.unlink(staged)
}
