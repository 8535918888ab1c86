// Every call that changes the disk goes through here: one place to inject failures, and to count writes.
import fs, { type Stats } from "node:fs"
import { errno } from "../../../model/failure/retcon-error.ts"
import { handlePath, hasHandles, O_PATH } from "./handles.ts"

/** `shown`: the name a person knows, if `onDisk` is another name for it. */
export type ShownPath = { onDisk: string | Buffer; shown: string }
type FilePath = string | Buffer | ShownPath

/** Contract: each function has completely happened when it returns, or throws the system's error. */
export type Disk = {
  /** Creates a file that must not exist yet. `sync`: its bytes are durable on return. */
  writeNew(path: FilePath, data: Buffer, options: { mode: number; sync: boolean }): void
  append(file: number, data: Buffer, path: FilePath, position?: number): void
  linkNew(path: FilePath, target: Buffer): void
  /** A second name for the same file; does not follow a link. */
  link(from: FilePath, to: FilePath): void
  rename(from: FilePath, to: FilePath): void
  unlink(path: FilePath): void
  /** Removes many files at once; skips those that do not exist. */
  unlinkAll(paths: FilePath[]): void
  /** Contract: throws for a link instead of following it. */
  chmod(path: FilePath, mode: number): void
  /** Changes the owner of a file, if we are allowed to. Does not follow a link. */
  chown(path: FilePath, owner: { uid: number; gid: number }): void
  mkdir(path: FilePath, mode: number): void
  rmdir(path: FilePath): void
  syncFolder(path: FilePath): void
}

/** Contract: false if the file system, or its rules, allow no second name. Throws EEXIST if something is there. */
export function giveSecondName(disk: Disk, from: FilePath, to: FilePath): boolean {
  try {
    disk.link(from, to)
    return true
  } catch (error) {
    if (!["EPERM", "EOPNOTSUPP", "ENOTSUP", "ENOSYS", "EMLINK", "EXDEV"].includes(errno(error) ?? "")) throw error
    return false
  }
}

/** Called before each write. Throwing makes the write fail: tests use it for full disks and kills. */
export type BeforeWrite = (call: { write: keyof Disk; path: string }) => void

export function openDisk(before?: BeforeWrite): Disk {
  /** Announces the write, does it, and puts the names that a person knows into the system's error. */
  const ask = <Answer>(
    write: keyof Disk,
    paths: FilePath[],
    call: (path: string | Buffer, second: string | Buffer) => Answer,
  ): Answer => {
    before?.({ write, path: shownOf(paths.at(-1) ?? "") })
    try {
      const [first, second = first] = paths.map(onDisk)
      return call(first ?? "", second ?? "")
    } catch (error) {
      throw named(error, paths)
    }
  }
  return {
    writeNew(path, data, { mode, sync }) {
      ask("writeNew", [path], (at) => {
        const file = fs.openSync(at, "wx", mode)
        try {
          writeAll(file, data)
          if (sync) fs.fdatasyncSync(file)
        } finally {
          fs.closeSync(file)
        }
      })
    },
    append(file, data, path, position) {
      ask("append", [path], () => writeAll(file, data, position))
    },
    linkNew: (path, target) => ask("linkNew", [path], (at) => fs.symlinkSync(target, at)),
    link: (from, to) => ask("link", [from, to], (a, b) => fs.linkSync(a, b)),
    rename: (from, to) => ask("rename", [from, to], (a, b) => fs.renameSync(a, b)),
    unlink: (path) => ask("unlink", [path], (at) => fs.unlinkSync(at)),
    unlinkAll(paths) {
      for (const path of paths) ask("unlinkAll", [path], unlinkIfThere)
    },
    chmod: (path, mode) => ask("chmod", [path], (at) => chmodHere(at, mode)),
    chown(path, { uid, gid }) {
      try {
        ask("chown", [path], (at) => fs.lchownSync(at, uid, gid))
      } catch (error) {
        if (errno(error) !== "EPERM") throw error
      }
    },
    mkdir: (path, mode) => ask("mkdir", [path], (at) => fs.mkdirSync(at, { mode })),
    rmdir: (path) => ask("rmdir", [path], (at) => fs.rmdirSync(at)),
    syncFolder(path) {
      ask("syncFolder", [path], (at) => {
        const folder = fs.openSync(at, "r")
        try {
          fs.fsyncSync(folder)
        } finally {
          fs.closeSync(folder)
        }
      })
    },
  }
}

function onDisk(path: FilePath): string | Buffer {
  return typeof path === "object" && "onDisk" in path ? path.onDisk : path
}

function shownOf(path: FilePath): string {
  return typeof path === "object" && "onDisk" in path ? path.shown : path.toString()
}

function named(error: unknown, paths: FilePath[]): unknown {
  if (!(error instanceof Error)) return error
  const failed: NodeJS.ErrnoException & { dest?: unknown } = error
  for (const key of ["path", "dest"] as const) {
    const known = paths.find((path) => String(failed[key]) === onDisk(path).toString())
    if (known !== undefined) failed[key] = shownOf(known)
  }
  return error
}

/** Changes the mode of the file itself, opened without following a link, if the system can do that. */
function chmodHere(path: string | Buffer, mode: number): void {
  if (!hasHandles) {
    if (fs.lstatSync(path).isSymbolicLink()) throw Object.assign(new Error("ELOOP: it is a link"), { code: "ELOOP" })
    fs.chmodSync(path, mode)
    return
  }
  const file = fs.openSync(path, O_PATH | fs.constants.O_NOFOLLOW)
  try {
    if (fs.fstatSync(file).isSymbolicLink()) throw Object.assign(new Error("ELOOP: it is a link"), { code: "ELOOP" })
    fs.chmodSync(handlePath(file), mode)
  } finally {
    fs.closeSync(file)
  }
}

function writeAll(file: number, data: Buffer, position?: number): void {
  for (let done = 0; done < data.length; ) {
    done += fs.writeSync(file, data, done, data.length - done, position === undefined ? null : position + done)
  }
}

function unlinkIfThere(path: string | Buffer): void {
  try {
    fs.unlinkSync(path)
  } catch (error) {
    const code = errno(error)
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error
  }
}

/**
 * What is at a path, without following a link. Undefined: nothing is there, a folder on the way is a file, or the path
 * is longer than any that can be used.
 */
export function lstat(path: string | Buffer): Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    const code = errno(error)
    if (code === "ENOTDIR" || code === "ELOOP" || code === "ENAMETOOLONG") return undefined
    throw error
  }
}
