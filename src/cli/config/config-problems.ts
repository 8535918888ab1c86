// What is wrong with the configuration, shown wherever a person looks at it.

import type { Cli } from "../port/cli.ts"
import { readAgentConfig } from "./agent-config.ts"
import { unusableConfig } from "./config-check.ts"

/** One line each: first what prevents an agent from starting, then what does not do what it seems to. */
export function tellConfigProblems(cli: Pick<Cli, "home" | "cwd" | "err">): void {
  const unusable = unusableConfig(cli.home, cli.cwd).flatMap(({ file, problems }) =>
    problems.map((problem) => `${file}: ${problem}. No agent starts until it is fixed.`),
  )
  for (const text of [...unusable, ...readAgentConfig(cli.home, cli.cwd).notices]) cli.err.write(`retcon: ${text}\n`)
}
