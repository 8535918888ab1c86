// Whose programs can begin a session here, and what they are called.

import { agentTitle } from "../../model/agent-title.ts"
import { ACP_LAUNCHES } from "../../programs/acp/launch.ts"
import { findProgram } from "../../programs/find-program.ts"
import type { AgentHere } from "../../protocol/library.ts"
import type { AppDeps } from "../port/app-deps.ts"

export interface KnownProgram {
  /** Its name on the PATH, and how to install it. */
  command: readonly [string, ...string[]]
  install: string
  /** Its own environment variables, its key included. */
  env: RegExp
}

const CLAUDE: KnownProgram = {
  command: ["claude"],
  install: "npm install -g @anthropic-ai/claude-code",
  env: /^(?:ANTHROPIC|CLAUDE)_/,
}

/** Those that are installed first. */
export function agentsHere(deps: Pick<AppDeps, "env">, cwd: string): AgentHere[] {
  const agents = ["claude-code", ...ACP_LAUNCHES.map(({ agent }) => agent)]
  const here = agents.map((agent): AgentHere => {
    const known = knownProgram(agent)
    const found = known && findProgram(known.command[0], { path: deps.env.PATH, workspace: cwd })
    const title = agentTitle(agent)
    if (known === undefined || found !== undefined) return { agent, title }
    return { agent, title, missing: `${known.command[0]} is not installed here. Install it with: ${known.install}` }
  })
  return here.sort((a, b) => Number(a.missing !== undefined) - Number(b.missing !== undefined))
}

export function knownProgram(agent: string): KnownProgram | undefined {
  return agent === "claude-code" ? CLAUDE : ACP_LAUNCHES.find((each) => each.agent === agent)
}
