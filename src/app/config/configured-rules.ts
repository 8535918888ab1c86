// The configured rules while an agent runs: restrictions in a file apply at once, permissions at the next start.
import { statSync } from "node:fs"
import { join } from "node:path"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { readAgentConfig } from "./agent-config.ts"
import { requireUsableConfig, unusableConfig } from "./config-check.ts"
import { WORKSPACE_FILE } from "./folder-trust.ts"
import { configFile } from "./home.ts"

export interface ConfiguredRules {
  allow: readonly string[]
  deny: readonly string[]
  /** Allowed on the command line. */
  asked?: readonly string[]
}

interface Known {
  /** Identifies the files that were read. */
  state: string
  allow: string[]
  deny: string[]
}

/**
 * The rules for each folder. Contract: the first call for a folder throws RetconError `invalid` if its files cannot be
 * used; later ones never throw. A file that has become unusable is reported, and its last rules stay.
 */
export function configuredRules(home: string, asked: string[], tell: (text: string) => void) {
  const folders = new Map<string, Known>()
  return (cwd: string): ConfiguredRules => {
    const before = folders.get(cwd)
    const state = stateOf(home, cwd)
    const now = before === undefined ? first(home, cwd, state) : before.state === state ? before : next(before)
    folders.set(cwd, now)
    return { allow: now.allow, deny: now.deny, asked }

    function next(known: Known): Known {
      const [unusable] = unusableConfig(home, cwd)
      if (unusable !== undefined) {
        const why = `${unusable.file} has changed and cannot be used: ${unusable.problems.join("; ")}.`
        tell(`${why} What was forbidden before is still forbidden. Fix the file.`)
        return { ...known, state }
      }
      const { allow, deny } = readAgentConfig(home, cwd)
      const added = deny.filter((rule) => !known.deny.includes(rule))
      const gone = known.allow.filter((rule) => !allow.includes(rule))
      if (added.length > 0)
        tell(sanitiseLine(`The configuration has changed. Forbidden from now on: ${added.join(", ")}`))
      if (gone.length > 0) tell(sanitiseLine(`The configuration has changed. No longer allowed: ${gone.join(", ")}`))
      return { state, allow: known.allow.filter((rule) => allow.includes(rule)), deny: [...known.deny, ...added] }
    }
  }
}

function first(home: string, cwd: string, state: string): Known {
  requireUsableConfig(home, cwd)
  const { allow, deny } = readAgentConfig(home, cwd)
  return { state, allow, deny }
}

/** Changes if one of the files may have changed. */
function stateOf(home: string, cwd: string): string {
  return [configFile(home), join(cwd, WORKSPACE_FILE)]
    .map((file) => {
      const found = statSync(file, { throwIfNoEntry: false })
      return found === undefined ? "none" : `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
    })
    .join("; ")
}
