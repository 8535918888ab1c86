// Frees disk space that nothing needs any more: the trash, blobs that no session names, indexes and drafts without a log, and
// what killed processes left half written.
import { closeSync, existsSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { parseSessionId } from "../../../model/id.ts"
import { LOG_SUFFIX, sessionsFolder, trashFolder } from "../disk/layout.ts"
import { attempt, attemptRead, errno } from "../disk/problems.ts"
import { withoutLog } from "../local/local-files.ts"
import { livingHolder } from "../locks/held-claim.ts"
import { allSessionFiles } from "./names.ts"

export interface Swept {
  files: number
  bytes: number
}

/** A blob is written before the record that names it: a recent one may still get its record. */
const YOUNG_MS = 60 * 60 * 1000

/** Empties the trash. Contract: `dryRun` only counts. */
export function emptyTrash(home: string, dryRun: boolean): Swept {
  const swept = measure(trashFolder(home))
  if (!dryRun) attempt(trashFolder(home), () => rmSync(trashFolder(home), { recursive: true, force: true }))
  return swept
}

/** Removes the blobs of a directory that none of its sessions names, including those in the trash. */
export function sweepBlobs(folder: string, now: number, dryRun: boolean): Swept {
  const blobs = files(join(folder, "blobs"))
  if (blobs.length === 0) return { files: 0, bytes: 0 }
  const named = new Set(allSessionFiles(join(folder, "..")).flatMap(({ file }) => [...namedBlobs(file)]))
  return removeOld(
    blobs.filter((file) => !named.has(basename(file))),
    now,
    dryRun,
  )
}

/** Files beside a log. */
const [DERIVED, LOCK] = [/^(.+)\.(?:index|tips)$/, /^(.+)\.(?:move|lease)$/]

/** Removes indexes and locks without a log, in all directories. A recent lock may still get its log; an index has had one. */
export function sweepDerived(home: string, now: number, dryRun: boolean): Swept {
  const beside = files(sessionsFolder(home))
  const orphans = (pattern: RegExp) =>
    beside.filter((file) => {
      const name = pattern.exec(basename(file))?.[1]
      if (name === undefined || parseSessionId(name) === undefined) return false
      return !existsSync(join(dirname(file), name + LOG_SUFFIX))
    })
  const indexes = removeOld(orphans(DERIVED), Number.POSITIVE_INFINITY, dryRun)
  const locks = removeOld(orphans(LOCK), now, dryRun)
  return { files: indexes.files + locks.files, bytes: indexes.bytes + locks.bytes }
}

/** Removes drafts and consent of sessions that no longer exist. Run it after emptying the trash. */
export function sweepLocal(home: string, now: number, dryRun: boolean): Swept {
  const known = new Set<string>(allSessionFiles(sessionsFolder(home)).map(({ id }) => id))
  return removeOld(withoutLog(home, known), now, dryRun)
}

function removeOld(paths: readonly string[], now: number, dryRun: boolean): Swept {
  const swept = { files: 0, bytes: 0 }
  for (const file of paths) {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat === undefined || now - stat.mtimeMs < YOUNG_MS) continue
    swept.files++
    swept.bytes += stat.size
    if (!dryRun) attempt(file, () => rmSync(file, { force: true }))
  }
  return swept
}

/** What a process writes before it renames it: its number is in the name. `claim`: on file systems without links. */
const TEMPORARY = /[.-]\d+\.(?:tmp|claim)$|\.jsonl?\.tmp$|\.takeover$/

/** Another process may have been killed while it copied sessions. */
const KEEP_LOCK = join("kept", "lock")

/** Removes what killed processes left half written, anywhere in retcon's home. What is recent may still be in use. */
export function sweepTemporary(home: string, now: number, dryRun: boolean): Swept {
  const isLeft = (file: string) =>
    TEMPORARY.test(file) || (file.endsWith(KEEP_LOCK) && livingHolder(file, () => now) === undefined)
  return removeOld(files(home).filter(isLeft), now, dryRun)
}

function namedBlobs(log: string): Set<string> {
  return mentioned(log, '"blob"', /sha256-[0-9a-f]{64}/g)
}

/** Everything that looks like a snapshot's id, in a log that cannot be opened: better too many than one too few. */
export function namedSnapshots(log: string): Set<string> {
  return mentioned(log, '"', /\b[0-9a-f]{40}\b/g)
}

function mentioned(log: string, word: string, pattern: RegExp): Set<string> {
  return attemptRead(log, () => {
    const found = new Set<string>()
    for (const line of readLines(log)) {
      if (!line.includes(word)) continue
      for (const [text] of line.toString("latin1").matchAll(pattern)) found.add(text)
    }
    return found
  })
}

function measure(folder: string): Swept {
  const swept = { files: 0, bytes: 0 }
  for (const file of files(folder)) {
    swept.files++
    swept.bytes += statSync(file, { throwIfNoEntry: false })?.size ?? 0
  }
  return swept
}

function files(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if (errno(error) === "ENOENT") return []
    throw error
  }
}

const CHUNK = 1024 * 1024
const NEWLINE = 10

/** The lines of a file, one at a time; memory is bounded for lines of ordinary length. */
export function* readLines(file: string): Generator<Buffer> {
  const fd = openSync(file, "r")
  try {
    /** The line that has not ended yet, in pieces: joined once, so that a long one takes no longer than its length. */
    let pieces: Buffer[] = []
    for (let offset = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK)
      const read = readSync(fd, chunk, 0, CHUNK, offset)
      if (read === 0) break
      offset += read
      let bytes = chunk.subarray(0, read)
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE)) {
        const last = bytes.subarray(0, end)
        yield pieces.length === 0 ? last : Buffer.concat([...pieces, last])
        pieces = []
        bytes = bytes.subarray(end + 1)
      }
      if (bytes.length > 0) pieces.push(bytes)
    }
    if (pieces.length > 0) yield Buffer.concat(pieces)
  } finally {
    closeSync(fd)
  }
}
