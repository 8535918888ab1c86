// Files that changed, that stay or that conflict, in few words.
import { type SessionId, shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"

interface Changed {
  path: string
  added?: number
  removed?: number
}

/** " +3 −1", or nothing when lines were not counted. */
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

type Because = { because: string; by?: SessionId; branches?: { from: string; to: string } }

/** Why a file stays. */
export function keptWords({ because, by }: Because): string {
  const who = by === undefined ? "you" : `session ${shortId(by)}`
  switch (because) {
    case "changed-since":
      return `changed by ${who} since`
    case "deleted-since":
      return `deleted by ${who} since`
    case "other-session":
      return `${by === undefined ? "another session" : who} changed it too`
    case "own-command":
      return "changed while your own command ran, perhaps by it"
    case "not-covered":
      return "not covered by snapshots"
    case "conflict-ours":
      return "your version"
    case "unended-call":
      return "changed by you, or by a call that was cut off"
    case "asked":
      return "as you asked"
    case "uncertain":
      return "changed while a command ran, perhaps by you"
    case "git-switched":
      return "git brought it with the branch or commit"
    case "other-spelling":
      return "its name differs only in case from one that stays"
    default:
      return because
  }
}

/** Why a file cannot be restored. */
export function conflictWords(conflict: Because): string {
  const { branches } = conflict
  const words = whyConflict(conflict)
  return branches === undefined ? words : `${words}; git has switched from ${branches.from} to ${branches.to} since`
}

function whyConflict({ because, by }: Because): string {
  const who = by === undefined ? undefined : `session ${shortId(by)}`
  switch (because) {
    case "content":
      return `changed by ${who ?? "you"} and by ${who === undefined ? "the agent" : "this session"} in the same place`
    case "binary":
      return `a binary file that ${who === undefined ? "both" : `${who} too`} changed`
    case "kind":
      return "a file for one, a link or folder for the other"
    case "added-twice":
      return who === undefined ? "made by both" : `made by ${who} too`
    case "in-the-way":
      return `something of ${who ?? "yours"} is in the way`
    default:
      return because
  }
}
