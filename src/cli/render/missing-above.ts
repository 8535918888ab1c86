// A path that does not begin at the start of a conversation: what it continues is damaged, or was cut away.
import type { ShortIds } from "../../history/tree/short-ids.ts"
import { type History, NONE, type Row, root } from "../../history/tree/tree.ts"
import { isEntry } from "../../model/record/record.ts"
import { wrap } from "../../model/text/sanitise.ts"
import type { Style } from "./style.ts"

export interface PathView {
  history: History
  ids: ShortIds
  width: number
  style: Style
}

/** Says so, and where to look; empty for a sound path. */
export function missingAbove({ history, ids, width, style }: PathView, head: Row): string[] {
  const first = root(history, head)
  const record = first === NONE ? undefined : history.record(first)
  if (record === undefined || !isEntry(record) || record.parent === null) return []
  const text = `What came before ${ids.of(first)} is missing: the line before it cannot be read, or is gone.`
  return [...wrap(text, width).map(style.bad), ...wrap("See what to do with: retcon doctor", width)]
}
