// Which program is installed as a hook: the one beside this bundle.
import { fileURLToPath } from "node:url"
import { homeFolder } from "../../app/config/home.ts"
import type { HookProgram } from "../../hooks/command.ts"
import type { Cli } from "../port/cli.ts"

/** When run from source, this is the last one that was built. */
const PROGRAM = new URL(import.meta.url.endsWith(".ts") ? "../../../dist/hook.cjs" : "./hook.cjs", import.meta.url)

export function hookProgram(cli: Cli): HookProgram {
  const usual = homeFolder({ ...cli.env, RETCON_HOME: "" }, process.platform, cli.store.foreign.homes.home)
  return {
    node: process.execPath,
    file: fileURLToPath(PROGRAM),
    version: cli.made.version,
    ...(usual !== cli.home && { home: cli.home }),
  }
}
