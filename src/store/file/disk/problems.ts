// Turns the operating system's errors into our failures.
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { errno, orNothing, RetconError } from "../../../model/failure/retcon-error.ts"
import { makeFolders, readFailure, systemFailure } from "../../../model/failure/system-failure.ts"

export { FORBIDDEN } from "../../../model/failure/failure.ts"
export { errno, orNothing } from "../../../model/failure/retcon-error.ts"

/** Contract: never returns; throws a RetconError for errors that any operating system may report. */
export function fail(error: unknown, path: string): never {
  throw failure(error, path)
}

export function failure(error: unknown, path: string): RetconError {
  return error instanceof RetconError ? error : new RetconError(systemFailure(error, path), { cause: error })
}

/** Runs `work`, and turns the system's errors into ours. */
export function attempt<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    return fail(error, path)
  }
}

/** The same where nothing is written. */
export function attemptRead<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw error instanceof RetconError ? error : new RetconError(readFailure(error, path), { cause: error })
  }
}

/** Creates a folder and its parents, accessible only to the owner. Contract: new folders survive a power cut. */
export function ensureFolder(path: string): void {
  const make = (folder: string) => {
    mkdirSync(folder, { mode: 0o700 })
    syncFolder(dirname(folder))
  }
  attempt(path, () => makeFolders(path, make))
}

/** Makes the names in a folder survive a power cut. Does nothing if the system has no such call. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, "r")
  try {
    fsyncSync(fd)
  } catch (error) {
    if (errno(error) !== "EINVAL" && errno(error) !== "ENOTSUP") throw error
  } finally {
    closeSync(fd)
  }
}

/** Replaces a derived file, which nobody needs, by rename. Contract: never fails; returns whether it was written. */
export function replaceIfPossible(file: string, content: string | Uint8Array): boolean {
  const temporary = `${file}.${process.pid}.tmp`
  const done = orNothing(() => {
    writeFileSync(temporary, content, { mode: 0o600 })
    renameSync(temporary, file)
    return true
  })
  if (done) return true
  orNothing(() => rmSync(temporary, { force: true }))
  return false
}
