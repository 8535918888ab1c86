// Stats many paths, on this thread and the helper thread: in a large workspace, nearly the whole cost of a snapshot.
import { chunks, pathList } from "./helper-job.ts"
import type { HelperThread } from "./helper-thread.ts"
import { newRows, type StatRows, statInto } from "./stat-rows.ts"

export const WORTH_A_THREAD = 1500

export type StatMany = (root: string, paths: string[], breathe: () => Promise<void> | undefined) => Promise<StatRows>

/** Contract: one row per path, in order. A process that looks only once, as a hook does, starts no thread for it. */
export function openStatMany(helper: HelperThread): StatMany {
  let looks = 0
  return async (root, paths, breathe) => {
    looks++
    const rows = newRows(paths.length)
    const list = pathList(root, paths)
    const isHelped = paths.length >= WORTH_A_THREAD && looks > 1 && helper.isReady()
    await using job = isHelped ? helper.start(list, { kind: "stat", rows }) : null
    for (const { start, end } of chunks(list)) {
      for (let i = start; i < end; i++) statInto(rows, i, `${root}/${paths[i]}`)
      const pause = breathe()
      if (pause !== undefined) await pause
    }
    await job?.ended
    return rows
  }
}
