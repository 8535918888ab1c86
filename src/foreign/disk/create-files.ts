// Creates files in another agent's folder: complete or not at all, and never over an existing file.
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { ensureFolder, errno, failure, orNothing, syncFolder } from "../../store/file/disk/problems.ts"
import { temporaryBeside } from "../../store/file/disk/temporary-beside.ts"

export interface NewFile {
  path: string
  bytes: Uint8Array
}

/** Contract: creates all of them durably, or none and throws RetconError; `exists` if one of them is already there. */
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
    for (const path of made) orNothing(() => rmSync(path, { force: true }))
    throw error
  }
}

/** A program that reads the folder meanwhile sees the complete file or none. */
function create({ path, bytes }: NewFile): void {
  ensureFolder(dirname(path))
  const temporary = temporaryBeside(path)
  try {
    const fd = openSync(temporary, "wx", 0o600)
    try {
      writeFileSync(fd, bytes)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    // Unlike a rename, a link never replaces an existing file.
    linkSync(temporary, path)
    syncFolder(dirname(path))
  } catch (error) {
    if (errno(error) === "EEXIST") throw new RetconError({ code: "exists", path }, { cause: error })
    throw failure(error, path)
  } finally {
    orNothing(() => rmSync(temporary, { force: true }))
  }
}
