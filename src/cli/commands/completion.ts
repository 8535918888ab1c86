// retcon completion SHELL: a script for the shell, which asks `retcon complete` for completions.
import { SCRIPTS } from "../completion/shell-scripts.ts"
import type { Cli } from "../port/cli.ts"

export async function run(cli: Cli, options: { shell: keyof typeof SCRIPTS }): Promise<void> {
  cli.out.write(SCRIPTS[options.shell])
}
