// Frees disk space: drops everything that no named snapshot, no session's index and nothing recent needs, and puts the
// rest into one pack.
import fs from "node:fs"
import nodePath from "node:path"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { DiskUsage, GcReport, GcRequest, SnapshotId } from "../../port.ts"
import { type LeftBehind, leftBehindIn } from "../disk/temporary.ts"
import { looseFile } from "../objects/loose.ts"
import { isOid, type Oid, parseTree } from "../objects/object.ts"
import { type Objects, removePack } from "../objects/objects.ts"
import { startPack } from "../objects/pack-write.ts"
import { sharedBy, stores, storesFolder } from "../project/store-folder.ts"
import type { OpenWorkspace } from "../snapshot/open-workspace.ts"

const GRACE = 60 * 60 * 1000
const OLD_INDEX = 14 * 24 * GRACE

type Loose = { oid: Oid; file: string; size: number; mtime: number }

export function collectGarbage(workspace: OpenWorkspace, request: GcRequest): GcReport {
  if (workspace.sharedFolder !== workspace.folder) {
    const problem = "This folder is a copy, and has no snapshots of its own to delete."
    throw new RetconError({ code: "invalid", problem, advice: "Run it in the folder that was copied." })
  }
  const { objects } = workspace
  const since = workspace.clock() - (request.grace ?? GRACE)
  objects.forget()
  const loose = listLoose(objects).map((object) => ({ ...object, recent: object.mtime > since }))
  const packs = objects.packs().map((pack) => ({ pack, recent: fs.statSync(pack.file).mtimeMs > since }))
  const sizes = new Map<Oid, number>(loose.map(({ oid, size }) => [oid, size]))
  for (const { pack } of packs) for (const { oid, size } of pack.sizes()) sizes.set(oid, size)

  const standing = standingOn(workspace)
  const budget = request.budget ?? workspace.settings.budget
  const keep = withinBudget(
    objects,
    sizes,
    request.keep,
    standing,
    request.drop === "oldest" ? budget : Number.POSITIVE_INFINITY,
  )
  const marked = mark(objects, [...standing, ...keep])
  const recent = new Set<Oid>(loose.filter((object) => object.recent).map(({ oid }) => oid))
  for (const { pack, recent: isRecent } of packs) if (isRecent) for (const { oid } of pack.sizes()) recent.add(oid)

  const bytesBefore = usageOf(workspace).bytes
  const kept = [...sizes].filter(([oid]) => marked.has(oid) || recent.has(oid))
  const bytesKept = kept.reduce((sum, [, size]) => sum + size, 0)
  const wasWhole = wholeAmong(objects, (oid) => sizes.has(oid))
  const staysWhole = wholeAmong(objects, (oid) => marked.has(oid) || recent.has(oid))
  const givenUp = keep === request.keep ? [] : request.keep
  const dropped = givenUp.filter((id) => wasWhole(id) && !staysWhole(id)).reverse()
  if (request.dryRun)
    return { bytesBefore, bytesAfter: bytesKept, dropped, overBudget: Math.max(0, bytesKept - budget) }

  const old = packs.filter((entry) => !entry.recent)
  const gather = loose.filter((object) => !object.recent)
  const writer = startPack(workspace.disk, `${objects.folder}/pack`)
  try {
    for (const { pack } of old)
      for (const { oid } of pack.sizes()) if (marked.has(oid)) writer.copy(oid, pack.raw(oid) as Buffer)
    for (const { oid } of gather) if (marked.has(oid)) writer.add(oid, objects.read(oid))
  } catch (error) {
    writer.abandon()
    throw error
  }
  const made = writer.finish()
  for (const { pack } of old) if (pack.file !== made) removePack(pack.file)
  for (const { file } of gather) fs.rmSync(file, { force: true })
  removeOldIndexes(workspace)
  fs.writeFileSync(`${workspace.folder}/gc-done`, String(workspace.clock()), { mode: 0o600 })
  objects.forget()
  const bytesAfter = usageOf(workspace).bytes
  return { bytesBefore, bytesAfter, dropped, overBudget: Math.max(0, bytesAfter - budget) }
}

/** As many of the newest snapshots as fit; all of them if there is no limit. */
function withinBudget(
  objects: Objects,
  sizes: Map<Oid, number>,
  keep: SnapshotId[],
  standing: SnapshotId[],
  budget: number,
): SnapshotId[] {
  if (budget === Number.POSITIVE_INFINITY) return keep
  const bytes = (count: number) => {
    let sum = 0
    for (const oid of mark(objects, [...standing, ...keep.slice(0, count)])) sum += sizes.get(oid) ?? 0
    return sum
  }
  let [low, high] = [0, keep.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (bytes(middle) <= budget) low = middle
    else high = middle - 1
  }
  return keep.slice(0, low)
}

/** Everything that these snapshots need. One that is already gone needs nothing. */
function mark(objects: Objects, roots: SnapshotId[]): Set<Oid> {
  const marked = new Set<Oid>()
  const visit = (oid: Oid) => {
    if (marked.has(oid)) return
    marked.add(oid)
    for (const entry of parseTree(objects.read(oid).data)) {
      if (entry.mode === "40000") visit(entry.oid)
      else marked.add(entry.oid)
    }
  }
  for (const root of new Set(roots)) {
    try {
      visit(root)
    } catch (error) {
      if (!(error instanceof RetconError) || error.code !== "snapshot-gone") throw error
    }
  }
  return marked
}

/** Whether these objects include all that a snapshot needs. A tree that several share is read once. */
function wholeAmong(objects: Objects, has: (oid: Oid) => boolean): (id: Oid) => boolean {
  const known = new Map<Oid, boolean>()
  const isWhole = (oid: Oid): boolean => {
    const before = known.get(oid)
    if (before !== undefined) return before
    const whole =
      has(oid) &&
      parseTree(objects.read(oid).data).every((entry) => (entry.mode === "40000" ? isWhole(entry.oid) : has(entry.oid)))
    known.set(oid, whole)
    return whole
  }
  return isWhole
}

function standingOn(workspace: OpenWorkspace): SnapshotId[] {
  const own = nodePath.basename(workspace.folder)
  const copies = stores(workspace.ownHome).filter((id) => sharedBy(workspace.ownHome, id) === own)
  const ids = [own, ...copies].flatMap((id) => {
    const folder = nodePath.join(storesFolder(workspace.ownHome), id, "indexes")
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : []
    return names.filter((name) => name.endsWith(".last")).map((name) => fs.readFileSync(`${folder}/${name}`, "utf8"))
  })
  return [...ids.filter(isOid), ...(workspace.last === undefined ? [] : [workspace.last])] as SnapshotId[]
}

function removeOldIndexes(workspace: OpenWorkspace): void {
  for (const name of fs.readdirSync(`${workspace.folder}/indexes`)) {
    const file = `${workspace.folder}/indexes/${name}`
    if (fs.statSync(file).mtimeMs < workspace.clock() - OLD_INDEX) fs.rmSync(file, { force: true })
  }
}

export function listLoose(objects: Objects): Loose[] {
  const found: Loose[] = []
  for (const prefix of looseFolders(objects.folder)) {
    for (const name of fs.readdirSync(`${objects.folder}/${prefix}`)) {
      const oid = prefix + name
      const file = looseFile(objects.folder, oid)
      const stat = isOid(oid) ? fs.statSync(file, { throwIfNoEntry: false }) : undefined
      if (stat !== undefined) found.push({ oid, file, size: stat.size, mtime: stat.mtimeMs })
    }
  }
  return found
}

function looseFolders(objects: string): string[] {
  return fs.existsSync(objects) ? fs.readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/.test(name)) : []
}

/** What processes that were killed, or whose disk was full, have left of snapshots, in all stores of retcon's home. */
export function leftBehind(home: string, now: number): LeftBehind[] {
  return [storesFolder(home), ...stores(home).flatMap((id) => foldersOf(`${storesFolder(home)}/${id}`))].flatMap(
    (folder) => leftBehindIn(folder, now),
  )
}

function foldersOf(store: string): string[] {
  const objects = `${store}/objects`
  return [store, `${store}/indexes`, `${objects}/pack`, ...looseFolders(objects).map((name) => `${objects}/${name}`)]
}

/** Contract: removes nothing that a living process is writing. */
export function sweepLeftBehind(home: string, now: number, dryRun: boolean): { files: number; bytes: number } {
  const left = leftBehind(home, now)
  if (!dryRun) for (const { file } of left) fs.rmSync(file, { recursive: true, force: true })
  return { files: left.length, bytes: left.reduce((sum, { bytes }) => sum + bytes, 0) }
}

export function usageOf(workspace: OpenWorkspace): DiskUsage {
  const { objects, settings } = workspace
  const loose = listLoose(objects)
  let bytes = loose.reduce((sum, { size }) => sum + size, 0)
  let count = loose.length
  for (const pack of objects.packs()) {
    bytes += pack.size
    count += pack.count
  }
  return { bytes, budget: settings.budget, objects: count }
}
