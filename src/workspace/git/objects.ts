// The object store of a workspace: loose objects and packs, read and written in process. Shared by all its sessions.

import fs from "node:fs"
import { RetconError } from "../../model/failure.ts"
import type { Disk } from "./disk.ts"
import { looseFile, readLoose, writeLoose } from "./loose.ts"
import { type ObjectType, type Oid, oidOf, type StoredObject } from "./object.ts"
import { openPack, type Pack } from "./pack-read.ts"
import { type PackWriter, startPack } from "./pack-write.ts"

export type Objects = {
  folder: string
  has(oid: Oid): boolean
  /** Contract: throws `snapshot-gone` when the object is not there any more. */
  read(oid: Oid): StoredObject
  write(type: ObjectType, data: Buffer, options?: { sync?: boolean }): Oid
  /** Everything written until `finish` goes into one pack. For first snapshots and mass changes. */
  startBulk(): { finish(): void; abandon(): void }
  /** Makes all that was written since the last call durable. */
  sync(): void
  packs(): Pack[]
  forget(): void
  close(): void
}

export function openObjects(disk: Disk, folder: string): Objects {
  const packFolder = `${folder}/pack`
  let packs = new Map<string, Pack>()
  let known = new Set<Oid>()
  let unsynced: string[] = []
  let bulk: PackWriter | undefined
  let bulkObjects = new Map<Oid, StoredObject>()

  function rescan(): boolean {
    let names: string[] = []
    try {
      names = fs.readdirSync(packFolder).filter((name) => /^pack-.*\.idx$/.test(name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
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
      packs.set(file, openPack(file))
      changed = true
    }
    return changed
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
    for (const pack of packs.values()) if (pack.has(oid)) return touch(pack.file, oid)
    const loose = looseFile(folder, oid)
    return fs.existsSync(loose) && touch(loose, oid)
  }

  /** An old object that is named again must look new to `gc` until a log names it. */
  function touch(file: string, oid: Oid): true {
    const now = new Date()
    try {
      fs.utimesSync(file, now, now)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") throw error
    }
    known.add(oid)
    return true
  }

  rescan()
  return {
    folder,
    has,
    read(oid) {
      const object = find(oid) ?? (rescan() ? find(oid) : undefined)
      if (object === undefined) throw new RetconError({ code: "snapshot-gone", snapshot: oid })
      return object
    },
    write(type, data, { sync = false } = {}) {
      const oid = oidOf(type, data)
      if (has(oid)) return oid
      if (bulk !== undefined) {
        bulk.add(oid, { type, data })
        if (type === "tree") bulkObjects.set(oid, { type, data })
        return oid
      }
      writeLoose(disk, folder, oid, { type, data }, sync)
      if (!sync) unsynced.push(looseFile(folder, oid))
      known.add(oid)
      return oid
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
        },
        abandon() {
          writer.abandon()
          end()
        },
      }
    },
    sync() {
      for (const file of unsynced) syncFile(file)
      unsynced = []
    },
    packs: () => {
      rescan()
      return [...packs.values()]
    },
    forget() {
      known = new Set()
      rescan()
    },
    close() {
      for (const pack of packs.values()) pack.close()
      packs = new Map()
    },
  }
}

function syncFile(path: string): void {
  let file: number
  try {
    file = fs.openSync(path, "r")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return
    throw error
  }
  try {
    fs.fdatasyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}
