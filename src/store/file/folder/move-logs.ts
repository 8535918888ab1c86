// Moves logs to the folder of another directory, after the directory itself has moved.
import { copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { SessionId } from "../../../model/id.ts"
import type { Lease } from "../../port.ts"
import { blobFolder, directorySlug, indexFile, leaseFile, sessionsFolder, trashFolder } from "../disk/layout.ts"
import { attempt, ensureFolder, errno, syncFolder } from "../disk/problems.ts"
import { CATALOGUE } from "../index/catalogue.ts"
import { letGo } from "../locks/claim.ts"
import { fileLease } from "../locks/lease.ts"
import { type SessionFile, sessionFilesIn } from "./names.ts"

/** From one directory to another: these sessions, or all of them including those in the trash. */
export interface LogMove {
  from: string
  to: string
  ids: ReadonlySet<SessionId> | "all"
}

interface Planned {
  old: string
  new: string
  files: SessionFile[]
  whole: boolean
}

/**
 * Contract: throws `session-busy` or `exists` before anything has moved. If interrupted at any point, each log is whole
 * in one of the two folders and has its blobs there; moving again finishes it.
 */
export async function moveLogs(home: string, moves: readonly LogMove[], now: () => number): Promise<void> {
  const plans = moves.map((move) => planned(home, move))
  const leases = await holdAll(
    plans.flatMap(({ files }) => files),
    now,
  )
  try {
    for (const plan of plans) attempt(plan.old, () => carryOut(plan))
    for (const { from, to, ids } of moves) if (ids === "all") moveTrash(home, directorySlug(from), directorySlug(to))
  } finally {
    for (const lease of leases) await lease.release()
    for (const plan of plans) for (const { file } of plan.files) letGo(leaseFile(join(plan.new, basename(file))))
  }
}

function planned(home: string, { from, to, ids }: LogMove): Planned {
  const [old, target] = [from, to].map((cwd) => join(sessionsFolder(home), directorySlug(cwd))) as [string, string]
  const all = sessionFilesIn(old)
  const files = all.filter(({ id }) => ids === "all" || ids.has(id))
  const taken = files.map(({ file }) => join(target, basename(file))).find((file) => existsSync(file))
  if (taken !== undefined) throw new RetconError({ code: "exists", path: taken })
  return { old, new: target, files, whole: files.length === all.length }
}

/** Takes all leases, so that no turn begins while the logs move. */
async function holdAll(files: readonly SessionFile[], now: () => number): Promise<Lease[]> {
  const held: Lease[] = []
  for (const { id, file } of files) {
    const lease = fileLease(leaseFile(file), now)
    const taken = await lease.take()
    held.push(lease)
    if (taken.ok) continue
    for (const each of held) await each.release()
    throw new RetconError({ code: "session-busy", session: id, pid: taken.pid })
  }
  return held
}

function carryOut(plan: Planned): void {
  if (plan.files.length === 0) return
  if (plan.whole && !existsSync(plan.new)) {
    renameSync(plan.old, plan.new)
    syncFolder(dirname(plan.new))
    return
  }
  ensureFolder(plan.new)
  shareBlobs(blobFolder(join(plan.old, "x")), blobFolder(join(plan.new, "x")))
  for (const { file } of plan.files) {
    const target = join(plan.new, basename(file))
    renameSync(file, target)
    for (const beside of [indexFile, leaseFile]) renameIfThere(beside(file), beside(target))
  }
  syncFolder(plan.new)
  syncFolder(plan.old)
  if (sessionFilesIn(plan.old).length === 0) removeRest(plan.old)
}

/** Runs before the logs move. Blobs of logs that stay are needed in both folders: `gc` removes the rest later. */
function shareBlobs(from: string, to: string): void {
  if (!existsSync(from)) return
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const target = join(to, file.slice(from.length + 1))
    if (existsSync(target)) continue
    ensureFolder(dirname(target))
    try {
      linkSync(file, target)
    } catch (error) {
      if (errno(error) === "ENOENT") throw error
      const temporary = `${target}.${process.pid}.tmp`
      copyFileSync(file, temporary)
      renameSync(temporary, target)
    }
    syncFolder(dirname(target))
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (errno(error) !== "ENOENT") throw error
  }
}

/** Removes files that no longer have a log. A folder with anything else in it stays. */
function removeRest(folder: string): void {
  rmSync(blobFolder(join(folder, "x")), { recursive: true, force: true })
  for (const name of readdirSync(folder)) {
    if (name === CATALOGUE || name.endsWith(".index")) rmSync(join(folder, name), { force: true })
  }
  try {
    rmdirSync(folder)
  } catch (error) {
    if (errno(error) !== "ENOTEMPTY" && errno(error) !== "ENOENT") throw error
  }
}

/** A session restored from the trash later should be found with the others. */
function moveTrash(home: string, from: string, to: string): void {
  const [old, target] = [join(trashFolder(home), from), join(trashFolder(home), to)]
  if (!existsSync(old)) return
  attempt(old, () => {
    ensureFolder(target)
    for (const name of readdirSync(old)) renameIfThere(join(old, name), join(target, name))
    removeRest(old)
  })
}
