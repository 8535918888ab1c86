// After how many days without use Claude Code deletes a session, from its settings. It does so when it starts.
import { join } from "node:path"
import { isObject, parseJson } from "../../model/json.ts"
import type { AgentHomes } from "../port.ts"
import { numberField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { configFolder } from "./place.ts"

const DEFAULT_DAYS = 30
const MOST = 1024 * 1024

/**
 * For a start in `cwd`. The person's settings for the folder win over the folder's, and both over their general ones.
 */
export function claudeCleanUp(homes: AgentHomes, cwd: string): { days: number; folder: string } {
  const config = configFolder(homes)
  const files = [
    join(cwd, ".claude", "settings.local.json"),
    join(cwd, ".claude", "settings.json"),
    join(config, "settings.json"),
  ]
  const days = files.map(daysIn).find((each) => each !== undefined) ?? DEFAULT_DAYS
  return { days, folder: join(config, "projects") }
}

function daysIn(file: string): number | undefined {
  const settings = parseJson(readHead(file, MOST).toString("utf8"))
  const days = settings.ok && isObject(settings.value) ? numberField(settings.value, "cleanupPeriodDays") : undefined
  return days !== undefined && days >= 0 ? days : undefined
}
