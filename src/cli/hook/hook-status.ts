// What is installed where, and whether it still works.
import { existsSync } from "node:fs"
import { readCommand } from "../../hooks/command.ts"
import type { AgentHooks } from "../../hooks/port.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Cli } from "../port/cli.ts"
import { hookProgram } from "./program.ts"
import { readSettingsFile } from "./settings-file.ts"

export interface HookStatus {
  agent: string
  file: string
  scope: "user" | "project"
  /** `none`: not installed. `gone`: its program no longer exists. `other`: of another retcon, or another version. */
  state: "installed" | "none" | "gone" | "other" | "unreadable"
  events: string[]
  version?: string
  program?: string
  problem?: string
}

/** In the person's settings, and in those of this project. */
export function hookStatusOf(cli: Cli, hooks: AgentHooks): HookStatus[] {
  const { homes } = cli.store.foreign
  const scopes = [
    { scope: "user" as const, file: hooks.settings.file(homes) },
    { scope: "project" as const, file: hooks.settings.file(homes, cli.cwd) },
  ]
  return scopes
    .filter(({ file }, i) => scopes.findIndex((each) => each.file === file) === i)
    .map(({ scope, file }) => ({ agent: hooks.agent, file, scope, ...stateOf(cli, hooks, file) }))
}

function stateOf(cli: Cli, { settings }: AgentHooks, file: string): Omit<HookStatus, "agent" | "file" | "scope"> {
  try {
    const text = readSettingsFile(file)?.toString("utf8") ?? ""
    const found = settings.read(text)
    const events = found.map(({ event }) => event)
    const program = readCommand(found[0]?.command)
    if (program === undefined) {
      const checked = text === "" ? undefined : settings.remove(text)
      if (checked?.ok !== false) return { state: "none", events }
      const line = checked.line === undefined ? "" : `line ${checked.line}: `
      return { state: "unreadable", events, problem: `it cannot be read: ${line}${checked.problem}.` }
    }
    const about = { events, version: program.version, program: program.file }
    if (!existsSync(program.file) || !existsSync(program.node)) return { state: "gone", ...about }
    const own = hookProgram(cli)
    const same = program.file === own.file && program.version === own.version
    return { state: same ? "installed" : "other", ...about }
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    return { state: "unreadable", events: [], problem: error.message }
  }
}
