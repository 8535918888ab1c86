// Compares the sidecar index with rows that were made from the log just now.
import { closeSync, statSync } from "node:fs"
import { PAGE_ROWS, WORDS } from "../../history/columns.ts"
import type { Rows } from "../../history/rows.ts"
import type { Finding } from "./finding.ts"
import { openIndex } from "./index-file.ts"
import { indexFile } from "./layout.ts"

/** Contract: `rows` are those of the whole log. No index is fine: it is made when it is missed. */
export function compareIndex(file: string, logFd: number, logSize: number, rows: Rows): Finding[] {
  const name = indexFile(file)
  if (statSync(name, { throwIfNoEntry: false }) === undefined) return []
  const index = openIndex(name, logFd, logSize)
  if (index === undefined) return [{ kind: "index-unusable" }]
  try {
    const { known } = index
    const { size } = known
    if (size > rows.size) return [{ kind: "index-wrong", row: rows.size }]
    for (let number = 0; number * PAGE_ROWS < size; number++) {
      const differs = firstDifference(known.page(number), rows.page(number))
      if (differs !== undefined) return [{ kind: "index-wrong", row: number * PAGE_ROWS + Math.floor(differs / WORDS) }]
    }
    return []
  } finally {
    closeSync(index.fd)
  }
}

function firstDifference(stored: Uint32Array, fresh: Uint32Array): number | undefined {
  const at = stored.findIndex((word, i) => word !== fresh[i])
  return at === -1 ? undefined : at
}
