// What agents will soon delete on their own.
import { lstatSync } from "node:fs"
import type { AgentHomes, AgentName, Format } from "../../formats/port.ts"
import { orNothing } from "../../store/file/disk/problems.ts"
import { isComplete } from "./keep-file.ts"
import { keptFolder } from "./kept-paths.ts"

const DAY = 24 * 60 * 60 * 1000
/** How far ahead to look. */
const AHEAD_DAYS = 7

export interface CleanUp {
  agent: AgentName
  /** Where the agent's sessions are. */
  folder: string
  /** The agent deletes a session after this many days without use. */
  days: number
  /** How many files are due within the next `ahead` days. */
  files: number
  ahead: number
  /** Days until the first is due; 0: the next time the agent starts. */
  first: number
  /** How many of them have no up-to-date copy. */
  notKept: number
}

/** For agents started in `cwd`. Leaves out agents that will not delete anything soon. */
export function cleanUps(
  formats: readonly Format[],
  { home, homes, now, cwd }: { home: string; homes: AgentHomes; now: number; cwd: string },
): CleanUp[] {
  return formats.flatMap((format) => {
    const rule = format.cleanUp?.(homes, cwd)
    if (rule === undefined) return []
    const folder = keptFolder(home, format.agent)
    const found: CleanUp = { agent: format.agent, ...rule, files: 0, ahead: AHEAD_DAYS, first: AHEAD_DAYS, notKept: 0 }
    for (const { main } of format.find(homes)) {
      const stat = orNothing(() => lstatSync(main))
      if (stat?.isFile() !== true) continue
      const left = Math.max(0, Math.ceil((stat.mtimeMs - now) / DAY + rule.days))
      if (left > AHEAD_DAYS) continue
      found.files++
      found.first = Math.min(found.first, left)
      const copy = orNothing(() => lstatSync(folder + main))
      if (copy === undefined || !isComplete(copy, stat)) found.notKept++
    }
    return found.files === 0 ? [] : [found]
  })
}
