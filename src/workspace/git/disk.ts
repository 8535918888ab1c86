// Every call that changes the disk goes through here: one place to inject failures, and to count writes.

import fs from "node:fs"

type FilePath = string | Buffer

/** Contract: each function has fully happened when it returns, or throws the system's error. */
export type Disk = {
  /** Makes a file that must not exist yet. `sync`: its bytes are durable on return. */
  writeNew(path: FilePath, data: Buffer, options: { mode: number; sync: boolean }): void
  append(file: number, data: Buffer, path: FilePath, position?: number): void
  linkNew(path: FilePath, target: Buffer): void
  /** A second name for the same file; a link is not followed. */
  link(from: FilePath, to: FilePath): void
  rename(from: FilePath, to: FilePath): void
  unlink(path: FilePath): void
  /** Removes many files together; those that are not there are passed over. */
  unlinkAll(paths: FilePath[]): Promise<void>
  chmod(path: FilePath, mode: number): void
  mkdir(path: FilePath, mode: number): void
  rmdir(path: FilePath): void
  syncFolder(path: FilePath): void
}

/** What changes the disk, named before it happens. Throwing makes the write fail; used by tests for full disks and kills. */
export type BeforeWrite = (call: { write: keyof Disk; path: string }) => void

export function openDisk(before?: BeforeWrite): Disk {
  const at = (write: keyof Disk, path: FilePath) => before?.({ write, path: path.toString() })
  return {
    writeNew(path, data, { mode, sync }) {
      at("writeNew", path)
      const file = fs.openSync(path, "wx", mode)
      try {
        writeAll(file, data)
        if (sync) fs.fdatasyncSync(file)
      } finally {
        fs.closeSync(file)
      }
    },
    append(file, data, path, position) {
      at("append", path)
      writeAll(file, data, position)
    },
    linkNew(path, target) {
      at("linkNew", path)
      fs.symlinkSync(target, path)
    },
    link(from, to) {
      at("link", to)
      fs.linkSync(from, to)
    },
    rename(from, to) {
      at("rename", to)
      fs.renameSync(from, to)
    },
    unlink(path) {
      at("unlink", path)
      fs.unlinkSync(path)
    },
    async unlinkAll(paths) {
      await Promise.all(
        paths.map((path) => {
          at("unlinkAll", path)
          return unlinkIfThere(path)
        }),
      )
    },
    chmod(path, mode) {
      at("chmod", path)
      fs.chmodSync(path, mode)
    },
    mkdir(path, mode) {
      at("mkdir", path)
      fs.mkdirSync(path, { mode })
    },
    rmdir(path) {
      at("rmdir", path)
      fs.rmdirSync(path)
    },
    syncFolder(path) {
      at("syncFolder", path)
      const folder = fs.openSync(path, "r")
      try {
        fs.fsyncSync(folder)
      } finally {
        fs.closeSync(folder)
      }
    },
  }
}

function writeAll(file: number, data: Buffer, position?: number): void {
  for (let done = 0; done < data.length; ) {
    done += fs.writeSync(file, data, done, data.length - done, position === undefined ? null : position + done)
  }
}

function unlinkIfThere(path: FilePath): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.unlink(path, (error) => {
      const gone = error === null || error.code === "ENOENT" || error.code === "ENOTDIR"
      if (gone) resolve()
      else reject(error)
    })
  })
}
