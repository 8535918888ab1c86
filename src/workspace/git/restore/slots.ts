// The two names that a restore uses beside each file: "new" for content that is to come, "old" for what was moved aside.
// A restore never replaces or deletes bytes that the store does not hold. So it replaces nothing: it moves aside, looks
// at what it has moved, and puts its own content only where nothing is.
import fs, { type Stats } from "node:fs"
import { errno } from "../../../model/failure/retcon-error.ts"
import { same } from "../../plan/take-back.ts"
import { type FileState, nameOf } from "../../port.ts"
import { giveSecondName, lstat, type ShownPath } from "../disk/disk.ts"
import type { Folder } from "../disk/folders.ts"
import { readBytes } from "../disk/read-file.ts"
import { stagedName } from "../disk/stage-name.ts"
import { oidOf } from "../objects/object.ts"
import { OTHER, stateIn } from "../snapshot/disk-state.ts"
import type { JournalAction } from "./journal.ts"
import { type Hands, type Look, type RestoreWork, reach, type Slot, stagedIn } from "./staged.ts"

/** A file was changed after the plan was made. */
export class ChangedMeanwhile extends Error {
  readonly path: string
  constructor(path: string) {
    super("changed meanwhile")
    this.path = path
  }
}

/**
 * Contract: moves what is at the path to "old", and throws `ChangedMeanwhile` if that is not what the plan expects;
 * `putBackRow` returns it then.
 */
export function moveAside(work: RestoreWork, row: number, { parent, staging }: Hands): void {
  const { path, from } = work.actions[row] as JournalAction
  if (!wasMoved(work, parent.pathOf(nameOf(path)), stagedIn(staging, work, row, "old")))
    throw new ChangedMeanwhile(path)
  const stat = lstat(stagedIn(staging, work, row, "old").onDisk)
  if (!same(stateOfSlot(work, row, staging, "old"), from)) throw new ChangedMeanwhile(path)
  if (stat?.isFile()) work.looks.set(row, lookOf(work, stat))
}

/** Contract: false if nothing was there. */
function wasMoved(work: RestoreWork, target: ShownPath, slot: ShownPath): boolean {
  try {
    work.disk.rename(target, slot)
    return true
  } catch (error) {
    if (errno(error) === "ENOENT") return false
    throw error
  }
}

/** File systems note the time of a change in steps of up to two seconds. */
const SETTLED = 2500

export function lookOf(work: RestoreWork, { size, mtimeMs }: Pick<Stats, "size" | "mtimeMs">): Look {
  return { size, mtimeMs, isSettled: Math.abs(work.clock() - mtimeMs) > SETTLED }
}

/** Contract: true only if nobody can have written to the file since that look. */
export function isUntouched(look: Look | undefined, { size, mtimeMs }: Pick<Stats, "size" | "mtimeMs">): boolean {
  return look?.isSettled === true && look.size === size && look.mtimeMs === mtimeMs
}

/**
 * Contract: throws `ChangedMeanwhile` if someone has written to what was moved aside, as a program can that has the file
 * open.
 */
export function checkAside(work: RestoreWork): void {
  for (const [row, look] of work.looks) {
    const { path, folder, from } = work.actions[row] as JournalAction
    const staging = reach(work.folders, folder)
    const stat = staging && lstat(stagedIn(staging, work, row, "old").onDisk)
    if (staging === undefined || stat === undefined || isUntouched(look, stat)) continue
    if (!same(stateOfSlot(work, row, staging, "old"), from)) throw new ChangedMeanwhile(path)
  }
}

/** What is in a slot; undefined if it is empty, or unreadable. */
export function stateOfSlot(work: RestoreWork, row: number, staging: Folder, slot: Slot): FileState | undefined {
  const state = stateIn(staging, stagedName(work.id, row, slot), work.folders.spelt)
  return state === OTHER ? undefined : state
}

/**
 * Contract: what is in a slot is also at the target, as a second name or as a copy; a folder only there. False, and
 * nothing has happened, if something is at the target already.
 */
export function install(work: RestoreWork, slot: ShownPath, target: ShownPath): boolean {
  const stat = fs.lstatSync(slot.onDisk)
  try {
    if (stat.isDirectory()) work.disk.rename(slot, target)
    else if (stat.isSymbolicLink()) {
      // A second name would, on some systems, be one of what the link leads to.
      work.disk.linkNew(target, fs.readlinkSync(slot.onDisk, { encoding: "buffer" }))
      keepOwner(work, stat, target)
    } else if (!giveSecondName(work.disk, slot, target)) copy(work, stat, slot, target)
    return true
  } catch (error) {
    if (["EEXIST", "ENOTEMPTY", "ENOTDIR"].includes(errno(error) ?? "")) return false
    throw error
  }
}

type Content = Exclude<FileState, { kind: "folder" }>

/** While it is incomplete it has this mode. */
export const UNFINISHED = 0o600

function copy(work: RestoreWork, stat: Stats, slot: ShownPath, target: ShownPath): void {
  work.disk.writeNew(target, fs.readFileSync(slot.onDisk), { mode: UNFINISHED, sync: true })
  keepOwner(work, stat, target)
  work.disk.chmod(target, stat.mode & 0o7777)
}

function keepOwner(work: RestoreWork, { uid, gid }: Stats, target: ShownPath): void {
  if (process.getuid?.() === 0 && (uid !== 0 || gid !== 0)) work.disk.chown(target, { uid, gid })
}

/**
 * Contract: takes away what the restore itself put at the path, by way of "new". False if it is no longer that: then it
 * is at the path again or, if something else is there by now, still in "new".
 */
export function takeAway(work: RestoreWork, row: number, { parent, staging }: Hands): boolean {
  const { path } = work.actions[row] as JournalAction
  const target = parent.pathOf(nameOf(path))
  const slot = stagedIn(staging, work, row, "new")
  work.disk.unlinkAll([slot])
  if (!wasMoved(work, target, slot)) return false
  if (isStored(work, row, staging, "new")) return true
  if (install(work, slot, target)) work.disk.unlinkAll([slot])
  return false
}

/** Contract: true if the store holds what is in the slot, or nothing is in it. */
export function isStored(work: RestoreWork, row: number, staging: Folder, slot: Slot): boolean {
  const { onDisk } = stagedIn(staging, work, row, slot)
  const stat = lstat(onDisk)
  if (stat === undefined) return true
  if (!stat.isFile() && !stat.isSymbolicLink()) return false
  const perm = stat.mode & 0o7777
  const bytes = readBytes(onDisk, stat.isFile() ? "file" : "link", stat.size)
  // Nobody can have written to a file that came with a mode which lets nobody open it.
  if (bytes === null) return storedFor(work, row, slot).some((state) => state.kind === "file" && state.perm === perm)
  return bytes !== undefined && areStored(work, row, slot, { bytes, perm })
}

/**
 * Contract: true for bytes that the store holds for the slot. In "new" also for what a kill left of writing them; what
 * was moved aside is whole, so a beginning of it is what someone has cut it to.
 */
export function areStored(
  work: RestoreWork,
  row: number,
  slot: Slot,
  { bytes, perm }: { bytes: Buffer; perm: number },
): boolean {
  const states = storedFor(work, row, slot)
  const own = oidOf("blob", bytes)
  if (states.some(({ oid }) => oid === own)) return true
  return (
    slot === "new" && perm === UNFINISHED && states.some(({ oid }) => isBeginning(bytes, work.objects.read(oid).data))
  )
}

function storedFor(work: RestoreWork, row: number, slot: Slot): Content[] {
  const { from, to } = work.actions[row] as JournalAction
  return (slot === "old" ? [from] : [from, to]).flatMap((state) =>
    state === undefined || state.kind === "folder" ? [] : [state],
  )
}

export function isBeginning(bytes: Buffer, whole: Buffer): boolean {
  return bytes.length < whole.length && whole.subarray(0, bytes.length).equals(bytes)
}
