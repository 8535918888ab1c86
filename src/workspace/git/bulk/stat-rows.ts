// The stats of many paths, as rows of numbers in memory shared by both threads.
import { errno } from "../../../model/failure/retcon-error.ts"
import { lstat } from "../disk/disk.ts"

export type Stat = { mode: number; size: number; mtimeMs: number; ctimeMs: number; ino: number }

/** One row per path. */
export type StatRows = Float64Array

/** `unknown`: not done, or failed. Who needs it looks again, and gets the error: a helper that dies loses nothing. */
export type StatRow = Stat | "nothing there" | "unknown"

const FIELDS = 5
/** In place of a mode. */
const [UNKNOWN, NOTHING_THERE] = [-1, 0]

export function newRows(count: number): StatRows {
  const rows = new Float64Array(new SharedArrayBuffer(count * FIELDS * 8))
  for (let i = 0; i < count; i++) rows[i * FIELDS] = UNKNOWN
  return rows
}

export function statInto(rows: StatRows, i: number, path: string): void {
  try {
    fillRow(rows, i, lstat(path))
  } catch (error) {
    if (errno(error) === undefined) throw error
  }
}

function fillRow(rows: StatRows, i: number, stat: Stat | undefined): void {
  if (stat === undefined) {
    rows[i * FIELDS] = NOTHING_THERE
    return
  }
  rows[i * FIELDS + 1] = stat.size
  rows[i * FIELDS + 2] = stat.mtimeMs
  rows[i * FIELDS + 3] = stat.ctimeMs
  rows[i * FIELDS + 4] = stat.ino
  rows[i * FIELDS] = stat.mode
}

export function rowAt(rows: StatRows, i: number): StatRow {
  const at = i * FIELDS
  const mode = rows[at] as number
  if (mode === UNKNOWN) return "unknown"
  if (mode === NOTHING_THERE) return "nothing there"
  return {
    mode,
    size: rows[at + 1] as number,
    mtimeMs: rows[at + 2] as number,
    ctimeMs: rows[at + 3] as number,
    ino: rows[at + 4] as number,
  }
}

/** Only these numbers: what is sent from thread to thread is copied. */
export function statOf({ mode, size, mtimeMs, ctimeMs, ino }: Stat): Stat {
  return { mode, size, mtimeMs, ctimeMs, ino }
}
