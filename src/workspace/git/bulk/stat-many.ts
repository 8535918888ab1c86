// Stats many paths at once, on this thread and the helper thread together: on a large workspace this is nearly all that
// a snapshot costs.

import { errno } from "../../../model/failure/system-failure.ts"
import { lstat } from "../disk/lstat.ts"
import { CHUNK, FIELDS, type HelperThread } from "./helper-thread.ts"

export type Stat = { mode: number; size: number; mtimeMs: number; ctimeMs: number; ino: number }

/** One row per path. Not there: mode 0. Not asked, or no answer: mode -1, so that a helper that dies loses nothing. */
export type StatRows = Float64Array

export const WORTH_A_THREAD = 1500

export type StatMany = (root: string, list: string[], breathe: () => Promise<void> | undefined) => Promise<StatRows>

/** Contract: one row per path, in order. The list is told to the helper again only when it is another array. */
export function openStatMany(helper: HelperThread): StatMany {
  let told: string[] | undefined
  return async (root, list, breathe) => {
    const rows = newRows(list.length)
    const next = newCounter()
    const isWorth = list.length >= WORTH_A_THREAD
    let helped: Promise<void> | undefined
    if (isWorth && helper.isReady()) {
      const text = told === list ? undefined : list.join("\0")
      told = list
      helped = helper.run({ kind: "stat", list: text, count: list.length, prefix: `${root}/`, next, rows })
    }
    for (;;) {
      const start = Atomics.add(next, 0, 1) * CHUNK
      if (start >= list.length) break
      for (let i = start; i < Math.min(start + CHUNK, list.length); i++) {
        const stat = statOrAsk(`${root}/${list[i]}`)
        if (stat === "ask") continue
        if (stat === undefined) rows[i * FIELDS] = 0
        else fillRow(rows, i, stat)
      }
      const pause = breathe()
      if (pause !== undefined) await pause
    }
    await helped
    return rows
  }
}

/** What may not be looked at is left to whoever asks for it, who knows what that means. */
function statOrAsk(path: string): Stat | undefined | "ask" {
  try {
    return lstat(path)
  } catch (error) {
    if (errno(error) === undefined) throw error
    return "ask"
  }
}

export function newRows(count: number): StatRows {
  const rows = new Float64Array(new SharedArrayBuffer(Math.max(8, count * FIELDS * 8)))
  for (let i = 0; i < count; i++) rows[i * FIELDS] = -1
  return rows
}

export function newCounter(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4))
}

function fillRow(rows: StatRows, i: number, stat: Stat): void {
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
