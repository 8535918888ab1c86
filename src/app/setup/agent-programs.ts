// Other agents' own programs on this machine, to continue their own sessions.

import { agentTitle } from "../../model/agent-title.ts"
import { ACP_LAUNCHES } from "../../programs/acp/launch.ts"
import { findProgram } from "../../programs/find-program.ts"
import type { AgentProgram } from "../../programs/port.ts"
import { knownProgram } from "../library/agents-here.ts"
import type { AppDeps } from "../port/app-deps.ts"
import type { HostPrograms } from "../port/host-deps.ts"

export function agentPrograms(
  { env: all, sessionOptions, made, now }: Pick<AppDeps, "env" | "sessionOptions" | "made" | "now">,
  personEnv: Readonly<Record<string, string>>,
): Required<HostPrograms> {
  return {
    program(agent, cwd) {
      const launch = ACP_LAUNCHES.find((each) => each.agent === agent)
      const known = knownProgram(agent)
      if (known === undefined) return undefined
      const [name] = known.command
      const program = findProgram(name, { path: all.PATH, workspace: cwd })
      if (program === undefined) {
        const missing = `This session belongs to ${agentTitle(agent)}, and the program for that (${name}) is not installed here.`
        return { missing: `${missing} Install it with: ${known.install}. Or continue in a copy.` }
      }
      const own = Object.entries(all).filter(([variable]) => known.env.test(variable))
      const options = { program, env: { ...personEnv, ...Object.fromEntries(own) } }
      return loaded(async () => {
        if (launch !== undefined)
          return (await import("../../programs/acp/client.ts")).acpProgram({
            ...options,
            launch,
            version: made.version,
            now,
          })
        const newId = () => sessionOptions.ids.record()
        return (await import("../../programs/claude-code/program.ts")).claudeProgram({ ...options, newId })
      })
    },
  }
}

/** A driver that is loaded when it is needed. */
function loaded(load: () => Promise<AgentProgram>): AgentProgram {
  return { open: async (request) => (await load()).open(request) }
}
