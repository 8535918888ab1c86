// Where sessions are: <home>/sessions/<directory>/<id>.jsonl, with files derived from a log beside it.
import { createHash } from "node:crypto"
import { basename, dirname, join } from "node:path"
import { parseSessionId, type SessionId } from "../../../model/id.ts"

export const LOG_SUFFIX = ".jsonl"
export const LEASE_SUFFIX = ".lease"

/** A readable name for a directory, unique by the hash of its full path. */
export function directorySlug(cwd: string): string {
  const readable = cwd
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[-.]+/, "")
    .slice(-60)
  const hash = createHash("sha256").update(cwd).digest("hex").slice(0, 8)
  return readable === "" ? hash : `${readable}-${hash}`
}

export function sessionsFolder(home: string): string {
  return join(home, "sessions")
}

export function trashFolder(home: string): string {
  return join(home, "trash")
}

export function logFile(home: string, cwd: string, id: SessionId): string {
  return join(sessionsFolder(home), directorySlug(cwd), id + LOG_SUFFIX)
}

export function indexFile(log: string): string {
  return `${withoutSuffix(log)}.index`
}

/** The tips, if there are more than fit into the index. */
export function tipsFile(log: string): string {
  return `${withoutSuffix(log)}.tips`
}

export function leaseFile(log: string): string {
  return withoutSuffix(log) + LEASE_SUFFIX
}

/** Who has another agent's program open in the session, and that somebody else asks for the session meanwhile. */
export function programFile(log: string): string {
  return `${withoutSuffix(log)}.program`
}

export function wantedFile(log: string): string {
  return `${withoutSuffix(log)}.wanted`
}

/** Who is moving the head: held only for a moment. */
export function moveFile(log: string): string {
  return `${withoutSuffix(log)}.move`
}

/** A log with any other name keeps all of it, so that no two logs share the files beside them. */
function withoutSuffix(log: string): string {
  return log.endsWith(LOG_SUFFIX) ? log.slice(0, -LOG_SUFFIX.length) : log
}

/** The sessions of a directory share their blobs, so a split copies none. */
export function blobFolder(log: string): string {
  return join(dirname(log), "blobs")
}

/** The id in a log's file name; undefined if the file has any other name. */
export function idInName(file: string): SessionId | undefined {
  const name = basename(file)
  return name.endsWith(LOG_SUFFIX) ? parseSessionId(name.slice(0, -LOG_SUFFIX.length)) : undefined
}

/** The home that a log belongs to; undefined for one elsewhere or with any other name. */
export function homeOf(log: string): string | undefined {
  const sessions = dirname(dirname(log))
  const home = dirname(sessions)
  return idInName(log) !== undefined && sessionsFolder(home) === sessions ? home : undefined
}
