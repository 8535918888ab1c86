// Which sessions a list or a search covers: of one agent, used lately, or naming a file.
import { isAbsolute, relative, resolve, sep } from "node:path"
import { AGENTS } from "../../app/library/agents.ts"
import { wantedSessions, warnSkipped } from "../../app/library/wanted-sessions.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { SessionFilter } from "../../protocol/library.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { progress } from "../render/progress.ts"
import { parseAge } from "./parse-age.ts"

export interface FilterFlags {
  /** Only sessions of this agent; `retcon` for our own. */
  agent?: string | undefined
  /** Only those used since then, such as 7d. */
  since?: string | undefined
  /** Only those that name this file. */
  path?: string | undefined
  /** Of all directories, not of this one only. */
  all?: boolean | undefined
}

export function filterOf(cli: Cli, { agent, since, path, all }: FilterFlags): SessionFilter {
  if (path === "") throw new UsageError("--path needs a file.", "Name one, such as: --path src/cart.ts")
  return {
    ...(all !== true && { cwd: cli.cwd }),
    ...(agent !== undefined && { agent: agentNamed(agent) }),
    ...(since !== undefined && { since: new Date(cli.now() - parseAge(since)).toISOString() }),
    ...(path !== undefined && { path: namedFile(cli.cwd, path) }),
  }
}

/** Relative if it is inside: sessions may name it in full, and its relative path is the end of that. */
function namedFile(cwd: string, typed: string): string {
  const full = resolve(cwd, typed)
  const way = relative(cwd, full)
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way) ? way : full
}

/** The sessions of this directory, or all, ours and those of other agents; newest first. */
export async function filteredSessions(cli: Cli, flags: FilterFlags): Promise<SessionSummary[]> {
  const shown = progress(cli, "Looking")
  const skipped = warnSkipped(cli)
  const sessions = await wantedSessions(cli.store, filterOf(cli, flags), { tick: () => shown.tick(0), skipped })
  shown.done()
  return sessions
}

/** A prefix of a name is enough: `claude`. */
export function agentNamed(typed: string): string {
  const name = typed.toLowerCase()
  const all = ["retcon", ...AGENTS]
  const agent = all.find((each) => each === name) ?? all.find((each) => name !== "" && each.startsWith(name))
  if (agent !== undefined) return agent
  throw new UsageError(`No agent is called "${sanitiseLine(typed)}".`, `Use one of: ${all.join(", ")}.`)
}
