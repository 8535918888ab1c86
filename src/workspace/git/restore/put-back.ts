// Reverses what a restore has done, after a failure or a kill.
import fs from "node:fs"
import { errno } from "../../../model/failure/retcon-error.ts"
import { same } from "../../plan/take-back.ts"
import { type FileState, nameOf, parentOf } from "../../port.ts"
import { lstat, type ShownPath } from "../disk/disk.ts"
import { OTHER, stateIn } from "../snapshot/disk-state.ts"
import type { JournalAction } from "./journal.ts"
import { install, isBeginning, stateOfSlot, takeAway, UNFINISHED } from "./slots.ts"
import { type Hands, type RestoreWork, reach, rowsInOrder, stagedIn } from "./staged.ts"

/**
 * Contract: every path is as it was, except those that someone changed in between or whose folder no longer exists;
 * these are returned and left alone. Writes nothing through a link. May be repeated after a crash at any point.
 */
export function putBack(work: RestoreWork): string[] {
  const left: string[] = []
  for (const row of rowsInOrder(work.actions).reverse()) {
    const { path, from, folder } = work.actions[row] as JournalAction
    const [parent, staging] = [reach(work.folders, parentOf(path)), reach(work.folders, folder)]
    if (parent === undefined) {
      if (from !== undefined) left.push(path)
    } else if (!putBackRow(work, row, { parent, staging: staging ?? parent })) left.push(path)
  }
  return left
}

/** Contract: false if someone else changed it; then what they wrote is left alone, or returned to its place. */
export function putBackRow(work: RestoreWork, row: number, hands: Hands): boolean {
  const { path, from, to } = work.actions[row] as JournalAction
  const target = hands.parent.pathOf(nameOf(path))
  const now = stateIn(hands.parent, nameOf(path), work.folders.spelt)
  if (now === OTHER) return false
  if (from?.kind === "folder") return returnFolder(work, row, hands, from.perm, now)
  if (same(now, from)) return true
  if (now?.kind === "folder") {
    if (to?.kind !== "folder" || !tryRemove(work, target)) return false
  } else if (now !== undefined && (!isOurs(work, row, hands, now) || !takeAway(work, row, hands))) return false
  if (from === undefined) return true
  if (now === undefined && isDeletedSince(work, row, hands)) return false
  const aside = stagedIn(hands.staging, work, row, "old")
  const old = lstat(aside.onDisk) === undefined ? rewrite(work, row, hands, from) : aside
  return install(work, old, target) && isThere(work, hands, path, from)
}

function isThere(work: RestoreWork, { parent }: Hands, path: string, wanted: FileState): boolean {
  const state = stateIn(parent, nameOf(path), work.folders.spelt)
  return state !== OTHER && same(state, wanted)
}

/** What we put there: the new content, or what a kill left of copying new or old content. */
function isOurs(work: RestoreWork, row: number, { parent, staging }: Hands, now: FileState): boolean {
  const { path, to } = work.actions[row] as JournalAction
  if (same(now, to)) return true
  const { onDisk } = parent.pathOf(nameOf(path))
  if (now.kind !== "file" || now.perm !== UNFINISHED) return false
  const bytes = fs.readFileSync(onDisk)
  return (["new", "old"] as const).some((slot) => {
    const whole = stateOfSlot(work, row, staging, slot)
    return whole?.kind === "file" && isBeginning(bytes, fs.readFileSync(stagedIn(staging, work, row, slot).onDisk))
  })
}

/**
 * Whether someone else deleted the file: nothing was moved aside, or new content that has left its slot is not in place.
 */
function isDeletedSince(work: RestoreWork, row: number, { staging }: Hands): boolean {
  const { from, to } = work.actions[row] as JournalAction
  if (to === undefined || to.kind === "folder") return false
  if (lstat(stagedIn(staging, work, row, "old").onDisk) === undefined) return true
  const isBrought = lstat(stagedIn(staging, work, row, "new").onDisk) === undefined
  return isBrought && same(stateOfSlot(work, row, staging, "old"), from)
}

function returnFolder(work: RestoreWork, row: number, hands: Hands, perm: number, now: FileState | undefined): boolean {
  const { path, to } = work.actions[row] as JournalAction
  const target = hands.parent.pathOf(nameOf(path))
  if (now?.kind === "folder") {
    if (now.perm !== perm) work.disk.chmod(target, perm)
    return true
  }
  if (now !== undefined && (to === undefined || !isOurs(work, row, hands, now) || !takeAway(work, row, hands)))
    return false
  work.disk.mkdir(target, 0o700)
  work.disk.chmod(target, perm)
  return true
}

function tryRemove(work: RestoreWork, target: ShownPath): boolean {
  try {
    work.disk.rmdir(target)
    return true
  } catch (error) {
    const code = errno(error)
    if (code === "ENOTEMPTY" || code === "EEXIST") return false
    throw error
  }
}

/** What was moved aside is gone: writes the content from the store to "new". */
function rewrite(
  work: RestoreWork,
  row: number,
  { staging }: Hands,
  from: Exclude<FileState, { kind: "folder" }>,
): ShownPath {
  const staged = stagedIn(staging, work, row, "new")
  work.disk.unlinkAll([staged])
  const { data } = work.objects.read(from.oid)
  if (from.kind === "link") work.disk.linkNew(staged, data)
  else {
    work.disk.writeNew(staged, data, { mode: UNFINISHED, sync: true })
    work.disk.chmod(staged, from.perm)
  }
  return staged
}
