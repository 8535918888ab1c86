// The stats of many paths, as rows of numbers in memory shared by both threads.

import { errno } from "../../../model/failure/system-failure.ts"
import { lstat } from "../disk/lstat.ts"

export type Stat = { mode: number; size: number; mtimeMs: number; ctimeMs: number; ino: number }

/** One row per path. Nothing there: mode 0. Not done, or failed: mode -1, so that a helper that dies loses nothing. */
export type StatRows = Float64Array

const FIELDS = 5

export function newRows(count: number): StatRows {
  const rows = new Float64Array(new SharedArrayBuffer(count * FIELDS * 8))
  for (let i = 0; i < count; i++) rows[i * FIELDS] = -1
  return rows
}

/** A path that may not be read keeps the row of one not yet done: the reader stats it again, and gets the error. */
export function statInto(rows: StatRows, i: number, path: string): void {
  try {
    fillRow(rows, i, lstat(path))
  } catch (error) {
    if (errno(error) === undefined) throw error
  }
}

/** `stat` undefined: nothing is there. */
export function fillRow(rows: StatRows, i: number, stat: Stat | undefined): void {
  if (stat === undefined) {
    rows[i * FIELDS] = 0
    return
  }
  rows[i * FIELDS] = stat.mode
  rows[i * FIELDS + 1] = stat.size
  rows[i * FIELDS + 2] = stat.mtimeMs
  rows[i * FIELDS + 3] = stat.ctimeMs
  rows[i * FIELDS + 4] = stat.ino
}

export function rowAt(rows: StatRows, i: number): Stat {
  const at = i * FIELDS
  return {
    mode: rows[at] as number,
    size: rows[at + 1] as number,
    mtimeMs: rows[at + 2] as number,
    ctimeMs: rows[at + 3] as number,
    ino: rows[at + 4] as number,
  }
}
