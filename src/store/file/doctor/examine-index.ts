// Compares the sidecar index with rows just made from the log.
import { closeSync, statSync } from "node:fs"
import { PAGE_ROWS, WORDS } from "../../../history/rows/columns.ts"
import type { Rows } from "../../../history/rows/rows.ts"
import { indexFile } from "../disk/layout.ts"
import { logFits } from "../index/fingerprint.ts"
import { type OpenIndex, openIndex } from "../index/index-file.ts"
import type { Finding } from "./finding.ts"

/** Contract: `rows` are those of the whole log. A missing index is fine: it is created when next needed. */
export function compareIndex(file: string, logFd: number, logSize: number, rows: Rows): Finding[] {
  const name = indexFile(file)
  if (statSync(name, { throwIfNoEntry: false }) === undefined) return []
  const index = openIndex(name, logFits(logFd, logSize))
  if (index === undefined) return [{ kind: "index-unusable" }]
  try {
    const row = firstDifference(index, rows)
    return row === undefined ? [] : [{ kind: "index-wrong", row }]
  } finally {
    closeSync(index.fd)
  }
}

function firstDifference(index: OpenIndex, rows: Rows): number | undefined {
  for (let number = 0; number * PAGE_ROWS < index.rows; number++) {
    const first = number * PAGE_ROWS
    const [stored, fresh] = [index.page(number), rows.page(number)]
    if (stored === undefined) return first
    const words = Math.min(PAGE_ROWS, index.rows - first, rows.size - first) * WORDS
    for (let at = 0; at < words; at++) if (stored[at] !== fresh[at]) return first + Math.floor(at / WORDS)
  }
  return index.rows > rows.size ? rows.size : undefined
}
