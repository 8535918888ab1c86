// Stats many paths, on this thread and the helper thread: in a large workspace, nearly the whole cost of a snapshot.

import { chunks, newCounter } from "./chunks.ts"
import type { HelperThread } from "./helper-thread.ts"
import { newRows, type StatRows, statInto } from "./stat-rows.ts"

export const WORTH_A_THREAD = 1500

export type StatMany = (root: string, list: string[], breathe: () => Promise<void> | undefined) => Promise<StatRows>

/** Contract: one row per path, in order. */
export function openStatMany(helper: HelperThread): StatMany {
  return async (root, list, breathe) => {
    const rows = newRows(list.length)
    const next = newCounter()
    const isWorth = list.length >= WORTH_A_THREAD
    let helped: Promise<void> | undefined
    if (isWorth && helper.isReady()) {
      helped = helper.run({ kind: "stat", list: list.join("\0"), count: list.length, prefix: `${root}/`, next, rows })
    }
    for (const { start, end } of chunks(next, list.length)) {
      for (let i = start; i < end; i++) statInto(rows, i, `${root}/${list[i]}`)
      const pause = breathe()
      if (pause !== undefined) await pause
    }
    await helped
    return rows
  }
}
