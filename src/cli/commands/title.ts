import type { Cli } from "../cli.ts"

export async function run(cli: Cli): Promise<void> {
  cli.err.write("This command is not built yet.\n")
}
