// How a repository's HEAD moved, from git's own log of it. Read as data.
import nodePath from "node:path"
import { type Project, readIfThere } from "./project.ts"

/** `from` and `to` are commits; `since` and `until` are in milliseconds. */
export type HeadMove = { from: string; to: string; since: number; until: number }

/** `stood`: the commits where HEAD was before. */
export type HeadLanding = { commit: string; stood: string[] }

type Line = { old: string; now: string; message: string }

const LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*> (\d+) [+-]\d{4}(?:\t(.*))?$/
/** These commit what is in the files; all others bring something into the files. */
const FROM_FILES = /^(commit(?! \(merge\))|cherry-pick|revert|am)\b/

/**
 * The last commit on HEAD's way that git itself brought the files to: by a switch, pull, merge, rebase or reset.
 * Undefined if it only committed what was in the files. If git keeps no log, only a commit older than the move shows
 * this; `madeAt` returns seconds.
 */
export function landedOn(
  project: Project,
  { from, to, since, until }: HeadMove,
  madeAt: (commit: string) => number | undefined,
): HeadLanding | undefined {
  const lines = linesBetween(project, Math.floor(since / 1000), Math.ceil(until / 1000))
  const first = lines.findIndex(({ old }) => old === from)
  const last = lines.findLastIndex(({ now }) => now === to)
  if (first < 0 || last < first) {
    const seconds = madeAt(to)
    return seconds !== undefined && seconds < Math.floor(since / 1000) ? { commit: to, stood: [from] } : undefined
  }
  const moves = lines.slice(first, last + 1).filter(({ old, now }) => old !== now)
  const at = moves.findLastIndex(({ message }) => !FROM_FILES.test(message))
  const landed = moves[at]
  if (landed === undefined) return undefined
  return { commit: landed.now, stood: [...new Set(moves.slice(0, at + 1).map(({ old }) => old))] }
}

function linesBetween(project: Project, since: number, until: number): Line[] {
  const text = readIfThere(nodePath.join(project.gitFolder, "logs", "HEAD"))?.toString() ?? ""
  return text.split("\n").flatMap((line): Line[] => {
    const [, old = "", now = "", seconds = "0", message = ""] = LINE.exec(line) ?? []
    return Number(seconds) < since || Number(seconds) > until ? [] : [{ old, now, message }]
  })
}
