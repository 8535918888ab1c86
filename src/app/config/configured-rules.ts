// The configured rules while an agent runs: restrictions in a file apply at once, permissions at the next start.
import { statSync } from "node:fs"
import { join } from "node:path"
import { parseRule } from "../../agent/permission/rule.ts"
import { ruleProblems } from "../../agent/permission/rule-problems.ts"
import { errno } from "../../model/failure/retcon-error.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { readAgentConfig } from "./agent-config.ts"
import { claudeSettingsFiles, readClaudeRules } from "./claude-settings.ts"
import { requireUsableConfig, unusableConfig } from "./config-check.ts"
import { WORKSPACE_FILE } from "./folder-trust.ts"
import { configFile } from "./home.ts"

export interface ConfiguredRules {
  allow: readonly string[]
  deny: readonly string[]
  /** What is asked about in every mode. */
  ask?: readonly string[]
  /** Allowed on the command line. */
  asked?: readonly string[]
}

interface Known {
  /** Identifies the files that were read. */
  state: string
  allow: string[]
  deny: string[]
  ask: string[]
}

/**
 * The rules for each folder. Contract: the first call for a folder throws RetconError `invalid` if its files cannot be
 * used; later ones never throw. A file that has become unusable is reported, and its last rules stay.
 */
export function configuredRules(
  { home, personHome }: { home: string; personHome: string | undefined },
  asked: string[],
  tell: (text: string) => void,
) {
  const folders = new Map<string, Known>()
  return (cwd: string): ConfiguredRules => {
    const before = folders.get(cwd)
    const state = stateOf(home, cwd, personHome)
    const now = before === undefined ? first(state) : before.state === state ? before : next(before)
    folders.set(cwd, now)
    return { allow: now.allow, deny: now.deny, ask: now.ask, asked }

    function read(): Omit<Known, "state"> & { lost: string[] } {
      const { allow, deny } = readAgentConfig(home, cwd)
      const theirs = readClaudeRules(cwd, personHome)
      return { allow, deny: [...deny, ...theirs.deny], ask: theirs.ask, lost: theirs.lost }
    }

    function first(state: string): Known {
      requireUsableConfig(home, cwd)
      const { lost, ...known } = read()
      const [one, ...more] = lost
      const others = more.length === 0 ? "" : ` (and ${more.length} more)`
      if (one !== undefined) tell(sanitiseLine(`Does not apply here: ${one}${others}. See: /context`))
      return { state, ...known }
    }

    function next(known: Known): Known {
      const [unusable] = unusableConfig(home, cwd)
      if (unusable !== undefined) {
        const why = `${unusable.file} has changed and cannot be used: ${unusable.problems.join("; ")}.`
        tell(`${why} What was forbidden before is still forbidden. Fix the file.`)
        return { ...known, state }
      }
      const { allow, deny, ask } = read()
      const added = deny.filter((rule) => !known.deny.includes(rule))
      const gone = known.allow.filter((rule) => !allow.includes(rule))
      if (added.length > 0)
        tell(sanitiseLine(`The configuration has changed. Forbidden from now on: ${added.join(", ")}`))
      if (gone.length > 0) tell(sanitiseLine(`The configuration has changed. No longer allowed: ${gone.join(", ")}`))
      return {
        state,
        allow: known.allow.filter((rule) => allow.includes(rule)),
        deny: [...known.deny, ...added],
        ask: [...new Set([...known.ask, ...ask])],
      }
    }
  }
}

/** Changes if one of the files may have changed. */
function stateOf(home: string, cwd: string, personHome: string | undefined): string {
  const theirs = claudeSettingsFiles(cwd, personHome).map(({ path }) => path)
  return [configFile(home), join(cwd, WORKSPACE_FILE), ...theirs]
    .map((file) => {
      try {
        const found = statSync(file)
        return `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
      } catch (error) {
        return errno(error) ?? "none"
      }
    })
    .join("; ")
}

/** Why a rule of `--allow` allows nothing; undefined if it can apply. `understood`: it is a rule, but one that never applies. */
export function ruleProblem(text: string): { problem: string; understood: boolean } | undefined {
  const [problem] = ruleProblems([text])
  return problem === undefined ? undefined : { problem, understood: parseRule(text) !== undefined }
}
