// Other agents' own programs on this machine, to continue their own sessions.
import { findProgram } from "../../agent/process/programs.ts"
import type { OpenAgent } from "../../programs/port.ts"
import type { AppDeps } from "../port/app-deps.ts"
import type { HostPrograms } from "../port/host-deps.ts"

/** Claude Code's own environment variables, its key included. */
const ITS_OWN = /^(?:ANTHROPIC|CLAUDE)_/

const MISSING =
  "This session belongs to Claude Code, whose program (claude) is not installed here. Install it with: npm install -g @anthropic-ai/claude-code. Or continue in a copy."

export function agentPrograms(
  { env, sessionOptions }: Pick<AppDeps, "env" | "sessionOptions">,
  personEnv: Readonly<Record<string, string>>,
): Required<HostPrograms> {
  const own = Object.entries(env).filter(([name]) => ITS_OWN.test(name))
  return {
    program(agent, cwd) {
      if (agent !== "claude-code") return undefined
      const program = findProgram("claude", { path: env.PATH, workspace: cwd })
      if (program === undefined) return { missing: MISSING }
      const newId = () => sessionOptions.ids.record()
      const options = { program, newId, env: { ...personEnv, ...Object.fromEntries(own) } }
      return {
        async open(request: OpenAgent) {
          const { claudeProgram } = await import("../../programs/claude-code/program.ts")
          return claudeProgram(options).open(request)
        },
      }
    },
  }
}
