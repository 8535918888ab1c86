// Where copies of other agents' files go: under `kept/<agent>` in retcon's home, each at its original absolute path. The folder
// layout is the same there, so a format reads the copies exactly as it reads the originals.
import { isAbsolute, join } from "node:path"
import type { AgentHomes, AgentName, Format, SessionPlace } from "../../formats/port.ts"

export function keptRoot(home: string): string {
  return join(home, "kept")
}

export function keptFolder(home: string, agent: AgentName): string {
  return join(keptRoot(home), agent)
}

/** The homes to pass to `Format.find` to find the copies. */
export function keptHomes(folder: string, { home, env }: AgentHomes): AgentHomes {
  const moved = Object.entries(env).map(([name, value]) => [
    name,
    value !== undefined && isAbsolute(value) ? join(folder, value) : value,
  ])
  return { home: join(folder, home), env: Object.fromEntries(moved) }
}

/** The path of the file that this is a copy of. */
export function originalOf(folder: string, copy: string): string {
  return copy.slice(folder.length)
}

/** All files of a session, with the growing one last. */
export function filesOf(format: Format, place: SessionPlace): string[] {
  const beside = [...(format.files?.(place) ?? [])].filter((file) => file !== place.main)
  return [...new Set(beside), place.main]
}
