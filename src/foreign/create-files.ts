// New files in the folder of another agent: whole or not at all, and never over one that is there.
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { RetconError } from "../model/failure/retcon-error.ts"
import { ensureFolder, errno, failure, syncFolder } from "../store/file/disk/problems.ts"

export interface NewFile {
  path: string
  bytes: Uint8Array
}

/** Contract: all of them, durable, or a RetconError and none. One that exists is not touched: `exists`. */
export function createFiles(files: readonly NewFile[]): void {
  const there = files.find(({ path }) => existsSync(path))
  if (there !== undefined) throw new RetconError({ code: "exists", path: there.path })
  const made: string[] = []
  try {
    for (const file of files) {
      create(file)
      made.push(file.path)
    }
  } catch (error) {
    for (const path of made) rmSync(path, { force: true })
    throw error
  }
}

/** A program that looks meanwhile sees all of it or nothing. */
function create({ path, bytes }: NewFile): void {
  ensureFolder(dirname(path))
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const fd = openSync(temporary, "wx", 0o600)
    try {
      writeFileSync(fd, bytes)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    // Unlike a rename, a link never takes the place of a file.
    linkSync(temporary, path)
    syncFolder(dirname(path))
  } catch (error) {
    if (errno(error) === "EEXIST") throw new RetconError({ code: "exists", path }, { cause: error })
    throw failure(error, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}
