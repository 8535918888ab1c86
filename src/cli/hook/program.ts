// Which program is installed as a hook: the one beside this bundle.
import { fileURLToPath } from "node:url"
import { homeFolder } from "../../app/config/home.ts"
import type { HookProgram } from "../../hooks/command.ts"
import type { Cli } from "../port/cli.ts"

/** When run from source, this is the last one that was built. */
const PROGRAM = new URL(import.meta.url.endsWith(".ts") ? "../../../dist/hook.cjs" : "./hook.cjs", import.meta.url)

/** retcon's home, unless RETCON_HOME names another. */
export function usualHome({ env, store }: Cli): string {
  return homeFolder({ ...env, RETCON_HOME: "" }, process.platform, store.foreign.homes.home)
}

export function hookProgram(cli: Cli): HookProgram {
  return {
    node: process.execPath,
    file: fileURLToPath(PROGRAM),
    version: cli.made.version,
    ...(usualHome(cli) !== cli.home && { home: cli.home }),
  }
}
