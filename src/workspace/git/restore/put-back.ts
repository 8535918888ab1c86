// Reverses what a restore has done, after a failure or a kill.

import { errno } from "../../../model/failure/system-failure.ts"
import { nameOf, parentOf } from "../../file-path.ts"
import { same } from "../../plan/take-back.ts"
import type { FileState } from "../../port.ts"
import type { ShownPath } from "../disk/disk.ts"
import { lstat } from "../disk/lstat.ts"
import { OTHER, stateIn } from "../snapshot/disk-state.ts"
import type { JournalAction } from "./journal.ts"
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

/** Contract: false if someone else changed it; then it is left alone. */
export function putBackRow(work: RestoreWork, row: number, hands: Hands): boolean {
  const { path, from, to } = work.actions[row] as JournalAction
  const now = stateIn(hands.parent, nameOf(path), work.folders.spelt)
  if (now === OTHER || isSomebodyElses(now, from, to)) return false
  return same(now, from) || returnOne(work, row, hands, now)
}

function isSomebodyElses(now: FileState | undefined, from: FileState | undefined, to: FileState | undefined): boolean {
  if (now?.kind === "folder") return false
  if (now === undefined) return to !== undefined && from !== undefined && from.kind !== "folder" && to.kind !== "folder"
  return !same(now, to) && !same(now, from)
}

function returnOne(work: RestoreWork, row: number, hands: Hands, now: FileState | undefined): boolean {
  const { path, from, to } = work.actions[row] as JournalAction
  const target = hands.parent.pathOf(nameOf(path))
  if (from?.kind === "folder") {
    if (now !== undefined && now.kind !== "folder") work.disk.unlink(target)
    if (now?.kind !== "folder") work.disk.mkdir(target, 0o700)
    work.disk.chmod(target, from.perm)
    return true
  }
  if (now?.kind === "folder" && (to?.kind !== "folder" || !tryRemove(work, target))) return false
  if (from === undefined) {
    if (now !== undefined && now.kind !== "folder") work.disk.unlink(target)
    return true
  }
  const aside = stagedIn(hands.staging, work, row, "old")
  if (lstat(aside.onDisk) !== undefined) work.disk.rename(aside, target)
  else rewrite(work, row, hands, target, from)
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

/** The second name is gone: write the content from the store. */
function rewrite(
  work: RestoreWork,
  row: number,
  { staging }: Hands,
  target: ShownPath,
  from: Exclude<FileState, { kind: "folder" }>,
): void {
  const staged = stagedIn(staging, work, row, "new")
  if (lstat(staged.onDisk) !== undefined) work.disk.unlink(staged)
  const { data } = work.objects.read(from.oid)
  if (from.kind === "link") work.disk.linkNew(staged, data)
  else {
    work.disk.writeNew(staged, data, { mode: 0o600, sync: true })
    work.disk.chmod(staged, from.perm)
  }
  work.disk.rename(staged, target)
}
