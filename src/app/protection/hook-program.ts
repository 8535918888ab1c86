// Which program is installed as a hook: the one beside this bundle.
import { fileURLToPath } from "node:url"
import type { HookProgram } from "../../hooks/command.ts"
import { homeFolder } from "../config/home.ts"
import type { AppDeps } from "../port/app-deps.ts"

/** When run from source, this is the last one that was built. */
const PROGRAM = new URL(import.meta.url.endsWith(".ts") ? "../../../dist/hook.cjs" : "./hook.cjs", import.meta.url)

/** retcon's home, unless RETCON_HOME names another. */
export function usualHome({ env, store }: AppDeps): string {
  return homeFolder({ ...env, RETCON_HOME: "" }, process.platform, store.foreign.homes.home)
}

export function hookProgram(deps: AppDeps): HookProgram {
  return {
    node: process.execPath,
    file: fileURLToPath(PROGRAM),
    version: deps.made.version,
    ...(usualHome(deps) !== deps.home && { home: deps.home }),
  }
}
