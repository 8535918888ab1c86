// Brings the copy of one file up to date. A copy is complete if its length and time match the original: the time is set last,
// after the bytes are on disk, so there is no separate list of copies that could be wrong.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs"
import { dirname } from "node:path"
import { attempt, ensureFolder, errno, orNothing } from "../../store/file/disk/problems.ts"
import { contentName, isBeginning } from "../disk/same-bytes.ts"

/**
 * `grown`: only the new bytes are copied. `rewritten`: the earlier content stays beside the copy, named by its hash. `touched`: the
 * content is the same, so the copy only gets the file's new time, which makes the next comparison quick.
 */
export type Change = "new" | "grown" | "rewritten" | "touched"

export interface PlannedFile {
  file: string
  copy: string
  change: Change
  /** How many bytes to copy. */
  bytes: number
}

/** Bytes to copy before yielding to other work. */
const PIECE = 1024 * 1024
/** File systems round times to a fraction of a microsecond. */
const SAME_MS = 0.01
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** Undefined: nothing to do. Links, FIFOs and empty files are not copied. */
export function planFile(file: string, copy: string): PlannedFile | undefined {
  const now = lstatSync(file, { throwIfNoEntry: false })
  if (now?.isFile() !== true || now.size === 0) return undefined
  const had = lstatSync(copy, { throwIfNoEntry: false })
  if (had === undefined) return { file, copy, change: "new", bytes: now.size }
  if (isComplete(had, now)) return undefined
  const same = had.size <= now.size && isBeginning(copy, file, had.size, had.size === now.size)
  if (same && had.size === now.size) return { file, copy, change: "touched", bytes: 0 }
  return same && file.endsWith(".jsonl")
    ? { file, copy, change: "grown", bytes: now.size - had.size }
    : { file, copy, change: "rewritten", bytes: now.size }
}

/** Whether a copy is complete and current. */
export function isComplete(copy: Stats, file: Stats): boolean {
  return copy.size === file.size && Math.abs(copy.mtimeMs - file.mtimeMs) < SAME_MS
}

/**
 * Carries out the plan, yielding the number of bytes after each piece. Returns false, with the copy unchanged, if the file
 * changed meanwhile. Contract: one process at a time. Throws RetconError if it cannot write, for example on a full disk; an
 * unfinished copy stays invisible.
 */
export function* keepFile({ file, copy, change }: PlannedFile, versions: boolean): Generator<number, boolean> {
  const source = orNothing(() => openSync(file, READ))
  if (source === undefined) return false
  try {
    const stat = fstatSync(source)
    if (!stat.isFile()) return false
    if (change === "grown" || change === "touched") return yield* append(source, stat, copy)
    return yield* replace(source, stat, copy, change === "rewritten" && versions)
  } finally {
    closeSync(source)
  }
}

function* append(source: number, stat: Stats, copy: string): Generator<number, boolean> {
  const target = attempt(copy, () => openSync(copy, constants.O_RDWR | constants.O_NOFOLLOW))
  const { size: before } = fstatSync(target)
  let whole = false
  try {
    whole = stat.size >= before && (yield* copyBytes(source, target, { from: before, to: stat.size, path: copy }))
    if (whole) finish(target, stat, copy)
    return whole
  } finally {
    if (!whole) orNothing(() => ftruncateSync(target, before))
    closeSync(target)
  }
}

function* replace(source: number, stat: Stats, copy: string, versions: boolean): Generator<number, boolean> {
  ensureFolder(dirname(copy))
  const temporary = `${copy}.tmp`
  rmSync(temporary, { force: true })
  const target = attempt(temporary, () => openSync(temporary, "wx", 0o600))
  let done = false
  try {
    const whole = yield* copyBytes(source, target, { from: 0, to: stat.size, path: copy })
    if (!whole) return false
    finish(target, stat, copy)
    if (versions) keepVersion(copy)
    attempt(copy, () => renameSync(temporary, copy))
    done = true
    return true
  } finally {
    closeSync(target)
    if (!done) orNothing(() => rmSync(temporary, { force: true }))
  }
}

/** False if the file turned out shorter. */
function* copyBytes(
  source: number,
  target: number,
  { from, to, path }: { from: number; to: number; path: string },
): Generator<number, boolean> {
  const piece = Buffer.allocUnsafe(Math.min(PIECE, Math.max(1, to - from)))
  for (let at = from; at < to; ) {
    const read = orNothing(() => readSync(source, piece, 0, Math.min(piece.length, to - at), at)) ?? 0
    if (read === 0) return false
    attempt(path, () => writeAll(target, piece.subarray(0, read), at))
    at += read
    yield read
  }
  return true
}

function writeAll(target: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(target, bytes, done, bytes.length - done, at + done)
}

/** Sets the time, which makes the copy count as complete. */
export function finish(target: number, stat: Pick<Stats, "atimeMs" | "mtimeMs">, path: string): void {
  attempt(path, () => {
    fchmodSync(target, 0o600)
    fsyncSync(target)
    futimesSync(target, stat.atimeMs / 1000, stat.mtimeMs / 1000)
  })
}

/** Keeps the copy's present content under a second name, its hash, so that the same content is stored only once. */
export function keepVersion(copy: string): void {
  attempt(copy, () => {
    try {
      linkSync(copy, `${copy}.${contentName(copy)}`)
    } catch (error) {
      if (errno(error) !== "EEXIST") throw error
    }
  })
}
