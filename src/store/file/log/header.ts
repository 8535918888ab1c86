// Opens the file of a session: what may be opened at all, and what its first line allows.
import { constants, openSync, statSync } from "node:fs"
import type { History } from "../../../history/tree/tree.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { KIND, type SessionRecord } from "../../../model/record/record.ts"
import { parseRecord } from "../../../model/record/record-parse.ts"
import { accessTo, FORMAT } from "../../../model/record/version.ts"
import { idInName } from "../disk/layout.ts"
import { attemptRead, errno, FORBIDDEN, fail } from "../disk/problems.ts"
import { readAt } from "../disk/read-at.ts"
import type { LogHistory } from "./log-history.ts"

/** Bytes. A real header is far shorter. */
const FIRST_LINE = 64 * 1024

/** Contract: never blocks, never creates a file. Anything but a regular file is refused before it is opened. */
export function openLogFile(file: string): { fd: number; access: "full" | "read-only" } {
  const stat = attemptRead(file, () => statSync(file, { throwIfNoEntry: false }))
  if (stat === undefined) throw new RetconError({ code: "not-found", what: "file", name: file })
  if (!stat.isFile()) {
    const problem = stat.isDirectory() ? "it is a folder" : "it is not a regular file"
    throw new RetconError({ code: "not-a-session", path: file, problem })
  }
  if (stat.size === 0) throw new RetconError({ code: "not-a-session", path: file, problem: "it is empty" })
  const fd = openToWrite(file)
  if (fd !== undefined) return { fd, access: "full" }
  return { fd: attemptRead(file, () => openSync(file, constants.O_RDONLY)), access: "read-only" }
}

/** Undefined if it may not be written. */
export function openToWrite(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDWR | constants.O_APPEND)
  } catch (error) {
    return FORBIDDEN.has(errno(error) ?? "") ? undefined : fail(error, file)
  }
}

/** What may be appended: everything, nothing because of the version, or nothing because the header is damaged. */
export type Allowed = "full" | "newer" | "damaged"

/**
 * The header, and what it allows. One of our logs with a damaged header can still be read, because its name contains
 * the id; it is not written to, because nobody knows which version wrote it.
 */
export function checkHeader(file: string, history: LogHistory): { header: SessionRecord; allowed: Allowed } {
  const read = history.size > 0 ? history.read(0) : { ok: false as const, problem: "it has no complete line" }
  if (read.ok && read.value.type === "session") {
    const access = accessTo(read.value)
    if (access === "refused") throw new RetconError({ code: "format-newer", path: file, reads: read.value.reads })
    return { header: read.value, allowed: access === "full" ? "full" : "newer" }
  }
  const id = idInName(file)
  if (id === undefined || !hasEntries(history)) {
    const why = read.ok ? `it is a ${read.value.type} record` : read.problem
    throw new RetconError({ code: "not-a-session", path: file, problem: `line 1: ${why}` })
  }
  const made = { name: "unknown", version: "" }
  const at = "1970-01-01T00:00:00.000Z"
  return { header: { id, type: "session", at, ...FORMAT, cwd: "", made }, allowed: "damaged" }
}

function hasEntries(history: History): boolean {
  for (let row = 0; row < history.size; row++) if (history.kind(row) === KIND.message) return true
  return false
}

/** The id on the first line of an open log; undefined if it cannot be read. */
export function idOnFirstLine(fd: number): string | undefined {
  const bytes = readAt(fd, 0, FIRST_LINE)
  const parsed = parseRecord(bytes.toString("utf8", 0, Math.max(0, bytes.indexOf(10))))
  return parsed.ok ? parsed.value.id : undefined
}
