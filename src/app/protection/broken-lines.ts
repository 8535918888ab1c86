// Hooks that cannot run cannot say so: commands, the list and the terminal do.
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { AppDeps } from "../port/app-deps.ts"

/** One line for each agent whose hooks no longer work. Contract: costs one look at a folder if none were ever installed. */
export async function brokenHookLines(deps: AppDeps): Promise<string[]> {
  if (!existsSync(join(deps.home, "hooks"))) return []
  const { brokenHooks, brokenLine } = await import("./hook-status.ts")
  return brokenHooks(deps).map(brokenLine)
}
