// What an index keeps of a session: copies of its rows, and the scanner's state as it comes out of JSON.
import type { KnownRows, ScannedSession } from "../../src/foreign/scan/scanned-session.ts"
import { BlockTimes } from "../../src/history/rows/block-times.ts"
import { BLOCK_ROWS, PAGE_ROWS } from "../../src/history/rows/columns.ts"

export function indexedRows(session: ScannedSession): KnownRows {
  const { history } = session
  const { size, firstPrompt, branches } = history
  const pages = Array.from({ length: Math.ceil(size / PAGE_ROWS) }, (_, page) => history.page(page).slice())
  const tails = Array.from({ length: Math.ceil(size / BLOCK_ROWS) }, (_, block) => history.tails(block).slice())
  const [last, tips, times] = [new Map(history.lastRows()), history.packedTips(), history.blockTimes.times.slice()]
  const { covered, state } = session.extent()
  return {
    rows: {
      size,
      firstPrompt,
      branches,
      last,
      tips: () => ({ rows: size, tips }),
      blockTimes: () => new BlockTimes(times),
      page: (page) => (pages[page] as Uint32Array).slice(),
      tails: (block) => (tails[block] as Uint32Array).slice(),
    },
    covered,
    state: JSON.parse(JSON.stringify(state)),
    ours: 0,
  }
}
