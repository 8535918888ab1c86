// Which sessions a list or a search covers: of one agent, used lately, or naming a file.
import { AGENTS } from "../../formats/port.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { parseAge } from "./parse-age.ts"

export interface SessionFilter {
  /** Only sessions of this agent; `retcon` for our own. */
  agent?: string | undefined
  /** Only those used since then, such as 7d. */
  since?: string | undefined
  /** Only those that name this file. */
  path?: string | undefined
}

/** The sessions of this directory, or all, ours and those of other agents; newest first. */
export async function filteredSessions(
  cli: Cli,
  { all, ...filter }: SessionFilter & { all?: boolean },
): Promise<SessionSummary[]> {
  const agent = filter.agent === undefined ? undefined : agentNamed(filter.agent)
  const since = filter.since === undefined ? undefined : cli.now() - parseAge(filter.since)
  const where = all === true ? {} : { cwd: cli.cwd }
  const listed = await cli.store.list(agent === "retcon" ? where : { ...where, agents: "all" })
  const wanted = listed.filter(
    (session) =>
      (agent === undefined || (session.agent ?? "retcon") === agent) &&
      (since === undefined || Date.parse(session.updated) >= since),
  )
  if (filter.path === undefined) return wanted
  if (filter.path === "") throw new UsageError("--path needs a file.", "Name one, such as: --path src/cart.ts")
  const { namingFile } = await import("./naming-file.ts")
  return namingFile(cli, wanted, filter.path)
}

/** A prefix of a name is enough: `claude`. */
export function agentNamed(typed: string): string {
  const name = typed.toLowerCase()
  const all = ["retcon", ...AGENTS]
  const agent = all.find((each) => each === name) ?? all.find((each) => name !== "" && each.startsWith(name))
  if (agent !== undefined) return agent
  throw new UsageError(`No agent is called "${sanitiseLine(typed)}".`, `Use one of: ${all.join(", ")}.`)
}
