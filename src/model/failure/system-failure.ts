// Turns the operating system's errors into our failures. Used wherever we touch a disk: store, workspace, commands.
import { dirname } from "node:path"
import type { Failure } from "./failure.ts"
import { FORBIDDEN, FULL } from "./failure.ts"
import { errno, RetconError } from "./retcon-error.ts"

/**
 * The failure behind an error: ours, or one that the system reports and nobody has put into words yet; undefined for a defect.
 * Every front end asks this before it calls something a bug: a failing disk is none.
 */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof RetconError) return error.failure
  if (errno(error) === undefined || !isObjectWith(error, "syscall")) return undefined
  const path = isObjectWith(error, "path") && typeof error.path === "string" ? error.path : "A file"
  return READS.has(String(error.syscall)) ? readFailure(error, path) : systemFailure(error, path)
}

const READS: ReadonlySet<string> = new Set([
  "scandir",
  "opendir",
  "read",
  "stat",
  "lstat",
  "readlink",
  "realpath",
  "access",
])

function isObjectWith<Key extends string>(error: unknown, key: Key): error is { [key in Key]: unknown } {
  return typeof error === "object" && error !== null && key in error
}

/** The failure for an error that happened at `path`. */
export function systemFailure(error: unknown, path: string): Failure {
  if (error instanceof RetconError) return error.failure
  const code = errno(error) ?? ""
  if (code === "ENOENT") return { code: "vanished", path }
  if (FULL.has(code)) return { code: "disk-full", path }
  if (FORBIDDEN.has(code)) return { code: "read-only", path, because: "folder" }
  if (code === "EISDIR") return { code: "io", path, problem: "it is a folder" }
  if (code === "ENOTDIR") return { code: "io", path, problem: "a part of its path is not a folder" }
  return { code: "io", path, problem: error instanceof Error ? error.message : String(error) }
}

/** The same for reading: a file without read permission is not called read-only. */
export function readFailure(error: unknown, path: string): Failure {
  if (!FORBIDDEN.has(errno(error) ?? "")) return systemFailure(error, path)
  return { code: "io", path, problem: "you have no permission to read it" }
}

/**
 * Creates a folder and its parents. Contract: `mkdir` creates one folder, or throws the system's error; a folder that
 * exists is fine. Terminates even where no folder can be created (Node's recursive mkdir does not, on /proc).
 */
export function makeFolders(path: string, mkdir: (path: string) => void): void {
  const missing: string[] = []
  for (let folder = path; !made(folder, mkdir); folder = dirname(folder)) {
    if (missing.includes(folder)) throw unmakeable(folder)
    missing.push(folder)
  }
  for (const folder of missing.reverse()) if (!made(folder, mkdir)) throw unmakeable(folder)
}

/** Whether the folder exists now; false if its parent does not. */
function made(folder: string, mkdir: (path: string) => void): boolean {
  try {
    mkdir(folder)
    return true
  } catch (error) {
    if (errno(error) === "EEXIST") return true
    if (errno(error) === "ENOENT") return false
    throw error
  }
}

function unmakeable(path: string): RetconError {
  return new RetconError({ code: "read-only", path, because: "folder" })
}
