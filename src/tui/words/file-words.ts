// Files that changed, that stay or that conflict, in a few words.
import type { Conflict } from "../../model/move/file-outcomes.ts"
import { count } from "../../model/text/amounts.ts"
import { conflictWords } from "../../model/text/file-reasons.ts"

interface Changed {
  path: string
  added?: number
  removed?: number
}

/** " +3 −1", or empty if lines were not counted. */
export function lineCounts({ added, removed }: Omit<Changed, "path">): string {
  if (added === undefined && removed === undefined) return ""
  const parts = [added ? `+${added}` : "", removed ? `−${removed}` : ""].filter(Boolean)
  return parts.length === 0 ? " ±0" : ` ${parts.join(" ")}`
}

/** "a.ts +3 −1", "4 files +12 −3"; empty for none. */
export function filesWords(files: readonly Changed[]): string {
  const only = files[0]
  if (only === undefined) return ""
  if (files.length === 1) return `${only.path.split("/").at(-1) ?? only.path}${lineCounts(only)}`
  return `${count(files.length, "file")}${lineCounts(totals(files))}`
}

function totals(files: readonly Changed[]): Omit<Changed, "path"> {
  const counted = files.filter((file) => file.added !== undefined || file.removed !== undefined)
  if (counted.length === 0) return {}
  return {
    added: counted.reduce((sum, file) => sum + (file.added ?? 0), 0),
    removed: counted.reduce((sum, file) => sum + (file.removed ?? 0), 0),
  }
}

/** Why a file cannot be restored. */
export function conflictReason(conflict: Conflict): string {
  const { branches } = conflict
  const words = conflictWords(conflict)
  return branches === undefined ? words : `${words}; git has switched from ${branches.from} to ${branches.to} since`
}
