// The object store of a workspace: loose objects and packs, read and written in process. All its sessions share it.
import fs from "node:fs"
import { dirname } from "node:path"
import { errno, orNothing, RetconError } from "../../../model/failure/retcon-error.ts"
import type { Disk } from "../disk/disk.ts"
import { syncAll } from "../disk/sync-all.ts"
import { damagedObject, looseFile, readLoose, writeLoose } from "./loose.ts"
import { type ObjectType, type Oid, oidOf, parseTree, type StoredObject, type TreeEntry } from "./object.ts"
import { openPack, type Pack } from "./pack-read.ts"
import { type PackWriter, startPack } from "./pack-write.ts"

const TREES_REMEMBERED = 4000
const MANY_PACKS = 12
const SMALL_PACK = 4 << 20

export type Objects = {
  folder: string
  has(oid: Oid): boolean
  /** Contract: throws `snapshot-gone` if the object no longer exists. */
  read(oid: Oid): StoredObject
  /** A tree, parsed; the latest ones are cached. */
  tree(oid: Oid): TreeEntry[]
  /** Durable once `sync` has returned. */
  write(type: ObjectType, data: Buffer): Oid
  /** Only in bulk: stores an object that is already in pack format. */
  writeRaw(oid: Oid, raw: Buffer): void
  /** Everything written until `finish` goes into one pack. For first snapshots and mass changes. */
  startBulk(): { finish(): void; abandon(): void }
  /** Makes everything written since the last call durable. */
  sync(): Promise<void>
  packs(): Pack[]
  forget(): void
  close(): void
}

/** `clock`: in milliseconds, as the file system's. */
export function openObjects(disk: Disk, folder: string, clock: () => number): Objects {
  const packFolder = `${folder}/pack`
  let packs = new Map<string, Pack>()
  let known = new Set<Oid>()
  let trees = new Map<Oid, TreeEntry[]>()
  let touched = new Set<string>()
  let unsynced: string[] = []
  let bulk: PackWriter | undefined
  let bulkObjects = new Map<Oid, StoredObject>()

  function rescan(): boolean {
    let names: string[] = []
    try {
      names = fs.readdirSync(packFolder).filter((name) => /^pack-.*\.idx$/.test(name))
    } catch (error) {
      if (errno(error) !== "ENOENT") throw error
    }
    const files = new Set(names.map((name) => `${packFolder}/${name.replace(/idx$/, "pack")}`))
    let changed = false
    for (const [file, pack] of packs) {
      if (files.has(file)) continue
      pack.close()
      packs.delete(file)
      changed = true
    }
    for (const file of files) {
      if (packs.has(file)) continue
      const pack = openIfThere(file)
      if (pack === undefined) continue
      packs.set(file, pack)
      changed = true
    }
    return changed
  }

  function read(oid: Oid): StoredObject {
    const object = find(oid) ?? (rescan() ? find(oid) : undefined)
    if (object === undefined) throw new RetconError({ code: "snapshot-gone", snapshot: oid })
    if (!bulkObjects.has(oid) && oidOf(object.type, object.data) !== oid)
      throw damagedObject(folder, oid, "its bytes are not what its name says")
    return object
  }

  function find(oid: Oid): StoredObject | undefined {
    const pending = bulkObjects.get(oid)
    if (pending !== undefined) return pending
    for (const pack of packs.values()) {
      const object = pack.read(oid)
      if (object !== undefined) return object
    }
    return readLoose(folder, oid)
  }

  function has(oid: Oid): boolean {
    if (known.has(oid) || bulk?.has(oid)) return true
    for (const pack of packs.values()) if (pack.has(oid) && touch(pack.file, oid)) return true
    // A second copy in the pack is harmless, and cheaper than checking for each of thousands of files.
    if (bulk !== undefined) return false
    const loose = looseFile(folder, oid)
    // A power cut can leave an empty file under this name: such an object is written again.
    return (fs.statSync(loose, { throwIfNoEntry: false })?.size ?? 0) > 0 && touch(loose, oid)
  }

  /** An old object that is used again must look new to `gc` until a log names it. False: it is gone. */
  function touch(file: string, oid: Oid): boolean {
    if (!touched.has(file)) {
      const now = clock() / 1000
      try {
        fs.utimesSync(file, now, now)
      } catch (error) {
        // Another process has just collected it.
        if (errno(error) === "ENOENT") return false
      }
      touched.add(file)
    }
    known.add(oid)
    return true
  }

  /** Each mass change leaves a pack, and searching many of them gets slow. No object is missing at any time. */
  function joinSmallPacks(): void {
    const small = [...packs.values()].filter((pack) => pack.size < SMALL_PACK)
    const writer = startPack(disk, packFolder)
    try {
      for (const pack of small) for (const { oid } of pack.sizes()) writer.copy(oid, pack.raw(oid) as Buffer)
    } catch (error) {
      writer.abandon()
      throw error
    }
    const joined = writer.finish()
    for (const { file } of small) if (file !== joined) removePack(file)
    rescan()
  }

  rescan()
  return {
    folder,
    has,
    read,
    tree(oid) {
      const remembered = trees.get(oid)
      if (remembered !== undefined) return remembered
      const entries = parseTree(read(oid).data)
      if (trees.size >= TREES_REMEMBERED) trees = new Map()
      trees.set(oid, entries)
      return entries
    },
    write(type, data) {
      const oid = oidOf(type, data)
      if (has(oid)) return oid
      if (bulk !== undefined) {
        bulk.add(oid, { type, data })
        if (type === "tree") bulkObjects.set(oid, { type, data })
        return oid
      }
      writeLoose(disk, folder, oid, { type, data })
      unsynced.push(looseFile(folder, oid))
      known.add(oid)
      return oid
    },
    writeRaw(oid, raw) {
      if (!has(oid)) bulk?.copy(oid, raw)
    },
    startBulk() {
      const writer = startPack(disk, packFolder)
      bulk = writer
      const end = () => {
        bulk = undefined
        bulkObjects = new Map()
      }
      return {
        finish() {
          try {
            writer.finish()
          } finally {
            end()
          }
          rescan()
          // What was to be stored is stored: if there is no room to tidy up, that can wait.
          if (packs.size > MANY_PACKS) orNothing(joinSmallPacks)
        },
        abandon() {
          end()
          writer.abandon()
        },
      }
    },
    async sync() {
      const files = [...unsynced]
      await syncAll([...files, ...new Set(files.map((file) => dirname(file)))])
      unsynced = unsynced.slice(files.length)
    },
    packs: () => {
      rescan()
      return [...packs.values()]
    },
    forget() {
      known = new Set()
      touched = new Set()
      trees = new Map()
      rescan()
    },
    close() {
      for (const pack of packs.values()) pack.close()
      packs = new Map()
    },
  }
}

/** Undefined: another process collected it after we saw it and before we opened it. */
function openIfThere(file: string): Pack | undefined {
  try {
    return openPack(file)
  } catch (error) {
    if (errno(error) === "ENOENT") return undefined
    throw error
  }
}

export function removePack(file: string): void {
  fs.rmSync(file.replace(/\.pack$/, ".idx"), { force: true })
  fs.rmSync(file, { force: true })
}
