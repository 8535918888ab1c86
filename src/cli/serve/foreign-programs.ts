// Other agents' own programs on this machine, to continue their own sessions.
import { findProgram } from "../../agent/process/programs.ts"
import type { HostPrograms } from "../../app/port/host-deps.ts"
import { claudeProgram } from "../../programs/claude-code/program.ts"
import type { Cli } from "../port/cli.ts"

/** Claude Code's own environment variables, its key included. */
const ITS_OWN = /^(?:ANTHROPIC|CLAUDE)_/

const MISSING =
  "This session belongs to Claude Code, whose program (claude) is not installed here. Install it, or continue in a copy."

export function foreignPrograms(cli: Cli, personEnv: Readonly<Record<string, string>>): Required<HostPrograms> {
  const own = Object.entries(cli.env).filter(([name]) => ITS_OWN.test(name))
  return {
    program(agent, cwd) {
      if (agent !== "claude-code") return undefined
      const program = findProgram("claude", { path: cli.env.PATH, workspace: cwd })
      if (program === undefined) return { missing: MISSING }
      return claudeProgram({ program, env: { ...personEnv, ...Object.fromEntries(own) } })
    },
  }
}
