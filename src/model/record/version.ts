// Versions of the log format, as in SQLite: one for who may read, one for who may write.

export const FORMAT = { reads: 1, writes: 1 } as const

export type Access = "full" | "read-only" | "refused"

/** What this version of retcon may do with a log whose header says `reads` and `writes`. */
export function accessTo(header: { reads: number; writes: number }): Access {
  if (header.reads > FORMAT.reads) return "refused"
  return header.writes > FORMAT.writes ? "read-only" : "full"
}

/** Of the JSON that an export writes and an import reads. */
export const EXPORT_VERSION = 1
