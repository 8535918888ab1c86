// Carries out the actions of a restore, and puts them back. New content is staged beside its target and renamed over it;
// what it replaces is kept beside it under a second name until the restore is final, so putting back needs no space.

import fs from "node:fs"
import { basename, dirname } from "node:path"
import { RetconError } from "../../model/failure.ts"
import { diskPath, parentOf } from "../path.ts"
import type { FileState } from "../port.ts"
import { same } from "../take-back.ts"
import type { Disk } from "./disk.ts"
import { checkWay, diskState, OTHER } from "./disk-state.ts"
import type { JournalAction } from "./journal.ts"
import { lstat } from "./lstat.ts"
import type { Objects } from "./objects.ts"
import { isStaged, stagedName } from "./stage-name.ts"
import { syncAll } from "./sync-all.ts"

export type Work = { id: string; root: string; disk: Disk; objects: Objects; actions: JournalAction[] }

/** Somebody changed a file after the plan was made. */
export class ChangedMeanwhile extends Error {
  readonly path: string
  constructor(path: string) {
    super("changed meanwhile")
    this.path = path
  }
}

function stagedPath(work: Work, row: number, which: "new" | "old"): string | Buffer {
  const { folder } = work.actions[row] as JournalAction
  const name = stagedName(work.id, row, which)
  return diskPath(work.root, folder === "" ? name : `${folder}/${name}`)
}

/** Contract: true when the path is as the plan expects. A folder's contents and permissions are not asked for. */
export function isAsExpected(root: string, path: string, expected: FileState | undefined): boolean {
  const now = diskState(root, path)
  if (now === OTHER) return false
  if (expected?.kind === "folder") return now?.kind === "folder"
  return same(now, expected)
}

/** Writes all new content beside its targets, and makes it durable. Nothing that exists is touched. */
export async function stage(work: Work): Promise<void> {
  const written: (string | Buffer)[] = []
  work.actions.forEach(({ folder, to }, row) => {
    if (to === undefined || to.kind === "folder") return
    checkWay(work.root, folder === "" ? "x" : `${folder}/x`)
    const staged = stagedPath(work, row, "new")
    const { data } = work.objects.read(to.oid)
    if (to.kind === "link") {
      work.disk.linkNew(staged, data)
      return
    }
    work.disk.writeNew(staged, data, { mode: 0o600, sync: false })
    work.disk.chmod(staged, to.perm)
    written.push(staged)
  })
  await syncAll(written)
}

/** In this order: files go, folders go, folders come, files come. Each is checked again right before. */
export function apply(work: Work): void {
  for (const row of rowsInOrder(work.actions)) {
    const { path, from, to } = work.actions[row] as JournalAction
    checkWay(work.root, path)
    if (!isAsExpected(work.root, path, from)) throw new ChangedMeanwhile(path)
    const target = diskPath(work.root, path)
    if (from?.kind === "folder" && to?.kind === "folder") work.disk.chmod(target, to.perm)
    else {
      if (from !== undefined) putAside(work, row, target, from, to)
      if (to !== undefined) bring(work, row, target, to)
    }
  }
}

function putAside(work: Work, row: number, target: string | Buffer, from: FileState, to: FileState | undefined): void {
  const aside = stagedPath(work, row, "old")
  if (from.kind === "folder") removeFolder(work, target, to)
  else if (to === undefined || to.kind === "folder") work.disk.rename(target, aside)
  else secondName(work, target, aside)
}

/** Where the file system has no second names, putting back writes the content from the store instead. */
function secondName(work: Work, target: string | Buffer, aside: string | Buffer): void {
  try {
    work.disk.link(target, aside)
  } catch (error) {
    if (!["EPERM", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error
  }
}

/** A folder that still holds something that is not covered stays, unless a file has to take its place. */
function removeFolder(work: Work, target: string | Buffer, to: FileState | undefined): void {
  try {
    work.disk.rmdir(target)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if ((code !== "ENOTEMPTY" && code !== "EEXIST") || to !== undefined) throw error
  }
}

function bring(work: Work, row: number, target: string | Buffer, to: FileState): void {
  if (to.kind !== "folder") {
    work.disk.rename(stagedPath(work, row, "new"), target)
    return
  }
  work.disk.mkdir(target, 0o700)
  work.disk.chmod(target, to.perm)
}

function rowsInOrder(actions: JournalAction[]): number[] {
  const keyed = actions.map(({ path, from, to }, row) => {
    const depth = path.split("/").length
    if (to === undefined) return from?.kind === "folder" ? { row, phase: 1, rank: -depth } : { row, phase: 0, rank: 0 }
    if (from?.kind === "folder" && to.kind !== "folder") return { row, phase: 2, rank: -depth }
    return to.kind === "folder" ? { row, phase: 3, rank: depth } : { row, phase: 4, rank: 0 }
  })
  return keyed.sort((a, b) => a.phase - b.phase || a.rank - b.rank || a.row - b.row).map(({ row }) => row)
}

/**
 * Contract: every path is again as it was, except those that somebody changed in between, which are answered and left
 * alone. May be repeated after a crash at any point.
 */
export function putBack(work: Work): string[] {
  const left: string[] = []
  for (const row of rowsInOrder(work.actions).reverse()) {
    const { path, from, to } = work.actions[row] as JournalAction
    const now = diskState(work.root, path)
    if (now === OTHER || isSomebodyElses(now, from, to)) left.push(path)
    else if (!same(now, from)) returnOne(work, row, now, from, to, left)
  }
  return left
}

function isSomebodyElses(now: FileState | undefined, from: FileState | undefined, to: FileState | undefined): boolean {
  if (now?.kind === "folder") return false
  if (now === undefined) return to !== undefined && from !== undefined && from.kind !== "folder" && to.kind !== "folder"
  return !same(now, to) && !same(now, from)
}

function returnOne(
  work: Work,
  row: number,
  now: FileState | undefined,
  from: FileState | undefined,
  to: FileState | undefined,
  left: string[],
): void {
  const { path } = work.actions[row] as JournalAction
  const target = diskPath(work.root, path)
  if (from?.kind === "folder") {
    if (now?.kind === "folder") {
      work.disk.chmod(target, from.perm)
      return
    }
    if (now !== undefined) work.disk.unlink(target)
    work.disk.mkdir(target, 0o700)
    work.disk.chmod(target, from.perm)
    return
  }
  if (now?.kind === "folder") {
    if (to?.kind !== "folder") {
      left.push(path)
      return
    }
    if (!tryRemove(work, target)) {
      left.push(path)
      return
    }
  }
  if (from === undefined) {
    if (now !== undefined && now.kind !== "folder") work.disk.unlink(target)
    return
  }
  const aside = stagedPath(work, row, "old")
  if (lstat(aside) !== undefined) {
    work.disk.rename(aside, target)
    return
  }
  rewrite(work, row, target, from)
}

function tryRemove(work: Work, target: string | Buffer): boolean {
  try {
    work.disk.rmdir(target)
    return true
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === "ENOTEMPTY" || code === "EEXIST") return false
    throw error
  }
}

/** The second name is gone: write the content from the store. */
function rewrite(work: Work, row: number, target: string | Buffer, from: Exclude<FileState, { kind: "folder" }>): void {
  const staged = stagedPath(work, row, "new")
  fs.rmSync(staged, { force: true })
  const { data } = work.objects.read(from.oid)
  if (from.kind === "link") work.disk.linkNew(staged, data)
  else {
    work.disk.writeNew(staged, data, { mode: 0o600, sync: true })
    work.disk.chmod(staged, from.perm)
  }
  work.disk.rename(staged, target)
}

/** Removes what was staged. Safe to repeat. */
export async function tidy(work: Work): Promise<void> {
  const staged = work.actions.flatMap((_, row) => [stagedPath(work, row, "new"), stagedPath(work, row, "old")])
  await work.disk.unlinkAll(staged.filter((path) => lstat(path) !== undefined))
}

/** Makes the renames durable. */
export async function syncFolders(work: Work): Promise<void> {
  const folders = new Set(work.actions.flatMap(({ path, folder }) => [parentOf(path), folder]))
  await syncAll([...folders].map((folder) => diskPath(work.root, folder)))
}

/** Where to stage: the nearest folder above that exists and stays. */
export function stagingFolder(root: string, path: string, goes: ReadonlySet<string>): string {
  for (let at = parentOf(path); ; at = parentOf(at)) {
    if (at === "") return ""
    if (!goes.has(at) && lstat(diskPath(root, at))?.isDirectory()) return at
  }
}

/** Contract: names the file that the system refused, or the folder in which nothing can be staged; else `path`. */
export function failureOf(error: unknown, path: string, rolledBack: boolean): RetconError {
  if (error instanceof RetconError && error.code === "unsafe-path") return error
  const problem = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error)
  return new RetconError(
    { code: "restore-failed", problem, path: refusedPath(error) ?? path, rolledBack },
    { cause: error },
  )
}

/** A rename has two names, and one of them is ours. */
function refusedPath(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { path, dest } = error as NodeJS.ErrnoException & { dest?: unknown }
  const named = [path, dest].filter((each) => typeof each === "string")
  const staged = named.find((each) => isStaged(basename(each)))
  return named.find((each) => !isStaged(basename(each))) ?? (staged === undefined ? undefined : dirname(staged))
}
