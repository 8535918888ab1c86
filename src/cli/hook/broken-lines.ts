// Hooks that cannot run cannot say so: commands, the list and the terminal do.
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Cli } from "../port/cli.ts"

/** One line for each agent whose hooks no longer work. Contract: costs one look at a folder if none were ever installed. */
export async function brokenHookLines(cli: Cli): Promise<string[]> {
  if (!existsSync(join(cli.home, "hooks"))) return []
  const { brokenHooks, brokenLine } = await import("./hook-status.ts")
  return brokenHooks(cli).map(brokenLine)
}
