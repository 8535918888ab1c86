// When going back pays off: how much each checkpoint would leave behind, shown with the mark of the next one. It is
// recorded there, so that what was sent once never changes.
import { checkpoints } from "../history/tree/state.ts"
import { type History, NONE, type Row } from "../history/tree/tree.ts"
import type { CheckpointRecord } from "../model/record/record.ts"
import { entryTokens } from "./window/context-size.ts"

/** From this many tokens on it pays to go back; in a small window, from this part of it. */
const PAYS = 30_000
const PART_OF_WINDOW = 0.25
/** It is shown again once this fraction of that has been added since. */
const AGAIN = 1 / 3
/** Names at most this many checkpoints; each must leave behind this much more than the next. */
const MOST = 5
const APART = 5_000

type Leaves = NonNullable<CheckpointRecord["leaves"]>

/** Contract: each entry of a path is read and estimated once, however often this is called. */
export function makeBacktrackOffer(history: History, tokens: (text: string) => number) {
  const known = new Map<Row, number>()
  const sizeOf = (row: Row) => {
    const size = known.get(row) ?? entryTokens(history, row, tokens)
    known.set(row, size)
    return size
  }
  /** What to say with a checkpoint set after `head`; undefined: nothing new. */
  return (head: Row, window: number | undefined): Leaves | undefined => {
    const pays = Math.min(PAYS, (window ?? Number.POSITIVE_INFINITY) * PART_OF_WINDOW)
    const all = new Map(checkpoints(history, head).map(({ n, row }) => [row, n]))
    const floor = history.compaction(head)
    const leaves: Leaves = []
    let [after, sinceOffer, offered] = [0, 0, false]
    for (let row = head; row !== NONE && row !== floor; row = history.parent(row)) {
      const n = all.get(row)
      if (n === undefined) after += sizeOf(row)
      else {
        leaves.push({ n, tokens: Math.round(after) })
        const record = offered ? undefined : history.record(row)
        if (record?.type === "checkpoint" && record.leaves !== undefined) [offered, sinceOffer] = [true, after]
      }
    }
    if (offered && sinceOffer < pays * AGAIN) return undefined
    const named = worthNaming(leaves.reverse().filter((each) => each.tokens >= pays))
    return named.length === 0 ? undefined : named
  }
}

/** Oldest first. Among neighbours that leave about the same, only the oldest. */
function worthNaming(leaves: readonly Leaves[number][]): Leaves {
  const named: Leaves = []
  for (const each of leaves) {
    const last = named.at(-1)
    if (last === undefined || last.tokens - each.tokens >= APART) named.push(each)
    if (named.length === MOST) break
  }
  return named
}
