// Removes what a restore keeps beside the files, once it is final or taken back. Bytes that someone wrote there
// meanwhile, as a program can that has the file open, go to the file itself.
import fs from "node:fs"
import { errno } from "../../../model/failure/retcon-error.ts"
import { same } from "../../plan/take-back.ts"
import { nameOf, parentOf } from "../../port.ts"
import { lstat, type ShownPath } from "../disk/disk.ts"
import type { Folder } from "../disk/folders.ts"
import { OTHER, stateIn } from "../snapshot/disk-state.ts"
import type { JournalAction } from "./journal.ts"
import { areStored, install, isStored, isUntouched, lookOf, stateOfSlot, takeAway } from "./slots.ts"
import { type RestoreWork, reach, type Slot, stagedIn } from "./staged.ts"

/**
 * Contract: nothing staged is left, not even in a folder that has been moved away since we opened it. Returns the files
 * with bytes that someone wrote meanwhile and that no snapshot has. Safe to repeat.
 */
export function tidy(work: RestoreWork): string[] {
  const rows = new Map<string, number[]>()
  for (const [row, { folder }] of work.actions.entries()) rows.set(folder, [...(rows.get(folder) ?? []), row])
  const saved: string[] = []
  for (const [path, own] of rows) {
    reach(work.folders, path)
    for (const staging of work.folders.known(path)) {
      for (const row of own)
        for (const slot of ["old", "new"] as const) {
          const at = clear(work, row, staging, slot)
          if (at !== undefined) saved.push(at)
        }
    }
  }
  return saved
}

/** Returns where the bytes are now, if they were not ours to delete. */
function clear(work: RestoreWork, row: number, staging: Folder, slot: Slot): string | undefined {
  const held = stagedIn(staging, work, row, slot)
  const stat = lstat(held.onDisk)
  if (stat === undefined) return undefined
  const file = stat.isFile() ? openToRead(held) : undefined
  try {
    const isAsSeen = slot === "old" && isUntouched(work.looks.get(row), stat)
    if (!isAsSeen && !isStored(work, row, staging, slot) && !isAtPathToo(work, row, staging, slot))
      return rescue(work, row, staging, slot)
    work.disk.unlinkAll([held])
    if (file === undefined || isUntouched(lookOf(work, stat), fs.fstatSync(file))) return undefined
    // Who has the file open can still write to it; as long as we have it open too, those bytes are not gone.
    if (fs.fstatSync(file).nlink > 0) return undefined
    const bytes = bytesOf(file)
    const perm = stat.mode & 0o7777
    if (areStored(work, row, slot, { bytes, perm })) return undefined
    work.disk.writeNew(held, bytes, { mode: 0o600, sync: true })
    work.disk.chmod(held, perm)
    return rescue(work, row, staging, slot)
  } finally {
    if (file !== undefined) fs.closeSync(file)
  }
}

function isAtPathToo(work: RestoreWork, row: number, staging: Folder, slot: Slot): boolean {
  const { path } = work.actions[row] as JournalAction
  const parent = parentOfRow(work, path, staging)
  const there = parent && stateIn(parent, nameOf(path), work.folders.spelt)
  if (there === undefined || there === OTHER || there.kind === "folder") return false
  return same(there, stateOfSlot(work, row, staging, slot))
}

/** The folder of the path, even if it has been moved away together with what is staged in it. */
function parentOfRow(work: RestoreWork, path: string, staging: Folder): Folder | undefined {
  return staging.path === parentOf(path) ? staging : reach(work.folders, parentOf(path))
}

/** Undefined: it cannot be opened, so nobody else can write to it either. */
function openToRead({ onDisk }: ShownPath): number | undefined {
  try {
    return fs.openSync(onDisk, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW)
  } catch (error) {
    const code = errno(error)
    if (code === "EACCES" || code === "EPERM") return undefined
    throw error
  }
}

/** All of an open file, wherever reading has got to. */
function bytesOf(file: number): Buffer {
  const bytes = Buffer.alloc(fs.fstatSync(file).size)
  let length = 0
  for (;;) {
    const got = fs.readSync(file, bytes, length, bytes.length - length, length)
    length += got
    if (got === 0) return bytes.subarray(0, length)
  }
}

/**
 * What someone wrote while the restore worked on the file counts as written after it: it becomes the file. If the file
 * has other bytes that no snapshot has, both stay.
 */
function rescue(work: RestoreWork, row: number, staging: Folder, slot: Slot): string {
  const { path, from, to } = work.actions[row] as JournalAction
  const held = stagedIn(staging, work, row, slot)
  const parent = parentOfRow(work, path, staging)
  if (parent !== undefined) {
    const there = stateIn(parent, nameOf(path), work.folders.spelt)
    const isOurs =
      there !== OTHER && there !== undefined && there.kind !== "folder" && (same(there, from) || same(there, to))
    if (isOurs && slot === "old") takeAway(work, row, { parent, staging })
    if (install(work, held, parent.pathOf(nameOf(path)))) {
      work.disk.unlinkAll([held])
      return path
    }
  }
  const beside = parent ?? staging
  for (let n = 1; ; n++) {
    const name = `${nameOf(path)}.saved-during-restore${n === 1 ? "" : `-${n}`}`
    if (!install(work, held, beside.pathOf(name))) continue
    work.disk.unlinkAll([held])
    return beside.path === "" ? name : `${beside.path}/${name}`
  }
}
