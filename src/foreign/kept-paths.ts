// Where copies of other agents' files are: under `kept/<agent>` in retcon's home, each at its own absolute path. So an agent's
// folder looks there as it does at its place, and a format reads the copies as it reads the originals.
import { isAbsolute, join } from "node:path"
import type { AgentHomes, AgentName, Format, SessionPlace } from "../formats/port.ts"

export function keptRoot(home: string): string {
  return join(home, "kept")
}

export function keptFolder(home: string, agent: AgentName): string {
  return join(keptRoot(home), agent)
}

/** The homes that `Format.find` finds copies in. */
export function keptHomes(folder: string, { home, env }: AgentHomes): AgentHomes {
  const moved = Object.entries(env).map(([name, value]) => [
    name,
    value !== undefined && isAbsolute(value) ? join(folder, value) : value,
  ])
  return { home: join(folder, home), env: Object.fromEntries(moved) }
}

/** Of the path of a copy, that of the file that it is a copy of. */
export function originalOf(folder: string, copy: string): string {
  return copy.slice(folder.length)
}

/** All files of a session, the one that grows last. */
export function filesOf(format: Format, place: SessionPlace): string[] {
  const beside = [...(format.files?.(place) ?? [])].filter((file) => file !== place.main)
  return [...new Set(beside), place.main]
}
