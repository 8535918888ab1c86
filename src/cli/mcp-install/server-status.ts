// Whether our server is in an agent's settings, and whether it could be started.
import { existsSync } from "node:fs"
import { isAbsolute } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { readSettingsFile } from "../hook/settings-file.ts"
import type { Cli } from "../port/cli.ts"
import type { ServerSettings } from "./port.ts"
import { serverProgram } from "./server-program.ts"

export interface ServerStatus {
  agent: string
  file: string
  scope: "user" | "project"
  /** `none`: not installed. `gone`: its program no longer exists. `other`: that of another retcon. */
  state: "installed" | "none" | "gone" | "other" | "unreadable"
  /** The words that start it. */
  words: string[]
  problem?: string
}

/** In the person's settings, and in those of this project. */
export function serverStatus(cli: Cli, settings: ServerSettings): ServerStatus[] {
  const { homes } = cli.store.foreign
  return (["user", "project"] as const).map((scope) => {
    const file = settings.file(homes, scope === "user" ? undefined : cli.cwd)
    return { agent: settings.agent, file, scope, ...stateOf(cli, settings, scope, file) }
  })
}

function stateOf(
  cli: Cli,
  settings: ServerSettings,
  scope: ServerStatus["scope"],
  file: string,
): Pick<ServerStatus, "state" | "words" | "problem"> {
  try {
    const text = readSettingsFile(file)?.toString("utf8") ?? ""
    const words = settings.read(text)
    if (words === undefined) {
      // Changes nothing: only tests whether it could be added.
      const edited = settings.add(text, serverProgram(cli, settings, scope))
      return edited.ok ? { state: "none", words: [] } : { state: "unreadable", words: [], problem: edited.problem }
    }
    const missing = words.slice(0, 2).some((word) => isAbsolute(word) && !existsSync(word))
    if (missing) return { state: "gone", words }
    const { command, args } = serverProgram(cli, settings, scope)
    const same = words.join("\0") === [command, ...args].join("\0")
    return { state: same ? "installed" : "other", words }
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    return { state: "unreadable", words: [], problem: error.message }
  }
}
