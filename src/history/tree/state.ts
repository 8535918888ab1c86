// Values that follow the path: todos, model, system prompt.
import type { Json } from "../../model/json.ts"
import { SYSTEM_KEY } from "../../model/record/record.ts"
import { type History, NONE, type Row } from "./tree.ts"

/** The value of `key` as it was at `head`; undefined if the path never set it. */
export function stateAt(history: History, head: Row, key: string): Json | undefined {
  // The system prompt is wanted with every context, and may have been set long ago: it has a pointer of its own.
  for (
    let row = key === SYSTEM_KEY ? history.system(head) : history.state(head);
    row !== NONE;
    row = history.state(history.parent(row))
  ) {
    const record = history.record(row)
    if (record?.type === "state" && record.key === key) return record.value
  }
  return undefined
}

/** The checkpoint number that comes next on this path. */
export function nextCheckpoint(history: History, head: Row): number {
  for (let row = history.checkpoint(head); row !== NONE; row = history.checkpoint(history.parent(row))) {
    const record = history.record(row)
    if (record?.type === "checkpoint") return record.n + 1
  }
  return 0
}

/** The checkpoints an agent may go back to: those after the last compaction, oldest first. */
export function checkpoints(history: History, head: Row): { n: number; row: Row }[] {
  const found: { n: number; row: Row }[] = []
  const floor = history.depth(history.compaction(head))
  for (let row = history.checkpoint(head); row !== NONE; row = history.checkpoint(history.parent(row))) {
    if (history.depth(row) <= floor) break
    const record = history.record(row)
    if (record?.type === "checkpoint") found.push({ n: record.n, row })
  }
  return found.reverse()
}
