// What is wrong with the configuration, shown wherever a person looks at it.
import { readAgentConfig } from "../../app/config/agent-config.ts"
import { unusableConfig } from "../../app/config/config-check.ts"
import type { Cli } from "../port/cli.ts"

/** One line each: first what prevents an agent from starting, then what does not do what it seems to. */
export function tellConfigProblems(cli: Pick<Cli, "home" | "cwd" | "err">): void {
  const unusable = unusableConfig(cli.home, cli.cwd).flatMap(({ file, problems }) =>
    problems.map((problem) => `${file}: ${problem}. No agent starts until it is fixed.`),
  )
  for (const text of [...unusable, ...readAgentConfig(cli.home, cli.cwd).notices]) cli.err.write(`retcon: ${text}\n`)
}
