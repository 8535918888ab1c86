// How a repository's HEAD moved, from the log that git keeps of it. Read as data.

import nodePath from "node:path"
import { type Project, readIfThere } from "./project.ts"

/** `from` and `to` are commits; `since` and `until` milliseconds. */
export type HeadMove = { from: string; to: string; since: number; until: number }

/** `stood`: the commits that HEAD stood at before. */
export type Landed = { commit: string; stood: string[] }

type Line = { old: string; now: string; message: string }

const LINE = /^([0-9a-f]{40}) ([0-9a-f]{40}) .*> (\d+) [+-]\d{4}(?:\t(.*))?$/
/** These take what the files hold; all others bring something to the files. */
const FROM_FILES = /^(commit(?! \(merge\))|cherry-pick|revert|am)\b/

/**
 * The last commit that git itself brought the files to on HEAD's way: by a switch, a pull, a merge, a rebase, a reset.
 * Undefined if there were only commits of what the files held. Where git keeps no log, only a commit that is older than
 * the move shows it: `madeAt` returns seconds.
 */
export function landedOn(
  project: Project,
  { from, to, since, until }: HeadMove,
  madeAt: (commit: string) => number | undefined,
): Landed | undefined {
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
