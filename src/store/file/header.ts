// Opening the file of a session: what may be opened at all, and what its first line allows.
import { constants, openSync, statSync } from "node:fs"
import type { History } from "../../history/tree.ts"
import { RetconError } from "../../model/failure.ts"
import { KIND } from "../../model/kind.ts"
import type { SessionRecord } from "../../model/record.ts"
import { accessTo, FORMAT } from "../../model/version.ts"
import { idInName } from "./layout.ts"
import { attempt, errno, FORBIDDEN, fail } from "./problems.ts"

/** Contract: never blocks, never creates a file. What is not a regular file is refused before it is opened. */
export function openLogFile(file: string): { fd: number; access: "full" | "read-only" } {
  const stat = attempt(file, () => statSync(file, { throwIfNoEntry: false }))
  if (stat === undefined) throw new RetconError({ code: "not-found", what: "file", name: file })
  if (!stat.isFile()) {
    const problem = stat.isDirectory() ? "it is a folder" : "it is not a regular file"
    throw new RetconError({ code: "not-a-session", path: file, problem })
  }
  if (stat.size === 0) throw new RetconError({ code: "not-a-session", path: file, problem: "it is empty" })
  try {
    return { fd: openSync(file, constants.O_RDWR | constants.O_APPEND), access: "full" }
  } catch (error) {
    if (!FORBIDDEN.has(errno(error) ?? "")) return fail(error, file)
    return { fd: attempt(file, () => openSync(file, constants.O_RDONLY)), access: "read-only" }
  }
}

/**
 * The header, and what it allows. A log of ours whose header is damaged can still be read, because its name holds
 * the id; it is not written to, because nobody knows which version wrote it.
 */
export function checkHeader(
  file: string,
  history: History & { problem(row: number): string | undefined },
  access: "full" | "read-only",
): { header: SessionRecord; access: "full" | "read-only" } {
  const record = history.size > 0 ? history.record(0) : undefined
  if (record?.type === "session") {
    const allowed = accessTo(record)
    if (allowed === "refused") throw new RetconError({ code: "format-newer", path: file, reads: record.reads })
    return { header: record, access: allowed === "read-only" ? "read-only" : access }
  }
  const id = idInName(file)
  if (id === undefined || !hasEntries(history)) {
    const why = record === undefined ? (history.problem(0) ?? "it has no whole line") : `it is a ${record.type} record`
    throw new RetconError({ code: "not-a-session", path: file, problem: `line 1: ${why}` })
  }
  const made = { name: "unknown", version: "" }
  const at = "1970-01-01T00:00:00.000Z"
  return {
    header: { id, type: "session", at, reads: FORMAT.reads, writes: FORMAT.writes, cwd: "", made },
    access: "read-only",
  }
}

function hasEntries(history: History): boolean {
  for (let row = 0; row < history.size; row++) if (history.kind(row) === KIND.message) return true
  return false
}
