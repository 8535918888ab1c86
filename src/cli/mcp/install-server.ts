// retcon mcp install|uninstall|status: our server in the settings of other agents.
import { existsSync } from "node:fs"
import { isAbsolute } from "node:path"
import { SERVER_SETTINGS, settingsOf } from "../../app/mcp-servers/agents.ts"
import type { ServerSettings } from "../../app/mcp-servers/port.ts"
import { planAdd, planRemove } from "../../app/protection/install.ts"
import { readSettingsFile } from "../../app/protection/settings-file.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { type ChangeFlags, changeSettings } from "../config/change-settings.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT, UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { serverProgram } from "./server-program.ts"

export interface InstallFlags extends Omit<ChangeFlags, "action"> {
  project?: boolean
}

const NAMES = SERVER_SETTINGS.map(({ name }) => name)

export async function installServer(
  cli: Cli,
  action: ChangeFlags["action"],
  name: string | undefined,
  flags: InstallFlags,
): Promise<number | undefined> {
  if (name === undefined) throw new UsageError("Which agent?", `Use: retcon mcp ${action} ${NAMES.join("|")}`)
  const settings = named(name)
  const [scope, option] = flags.project === true ? (["project", " --project"] as const) : (["user", ""] as const)
  const file = settings.file(cli.store.foreign.homes, scope === "user" ? undefined : cli.cwd)
  const edit = {
    what: "mcp" as const,
    add: (text: string) => settings.add(text, serverProgram(cli, settings, scope)),
    remove: (text: string) => settings.remove(text),
    isIn: (text: string) => settings.read(text) !== undefined,
  }
  const planned = action === "install" ? planAdd(cli, edit, file) : planRemove(cli, edit, file)
  const { title } = settings
  const shown = sanitiseLine(file)
  const same = {
    install: `retcon is already an MCP server of ${title}, in ${shown}.\n`,
    uninstall: `retcon is not an MCP server in ${shown}. Nothing was changed.\n`,
  }
  const done = {
    install: `${title} now starts retcon as an MCP server. ${settings.note}\nRemove it with: retcon mcp uninstall ${settings.name}${option}\n`,
    uninstall: `${title} no longer starts retcon as an MCP server. Checkpoints and notes stay.\n`,
  }
  const words = { agent: settings.agent, same: same[action], done: done[action] }
  return changeSettings(cli, planned, { ...flags, action }, words)
}

function named(name: string): ServerSettings {
  const settings = settingsOf(name)
  if (settings !== undefined) return settings
  throw new UsageError(`No agent is called "${sanitiseLine(name)}" here.`, `Use one of: ${NAMES.join(", ")}.`)
}

export function showServers(cli: Cli, name: string | undefined, json: boolean): number {
  const all = name === undefined ? SERVER_SETTINGS : [named(name)]
  const found = all.flatMap((settings) => serverStatus(cli, settings).map((status) => ({ status, settings })))
  if (json)
    printJson(
      cli.out,
      found.map(({ status }) => status),
    )
  else for (const { status, settings } of found) for (const line of lines(status, settings)) cli.out.write(`${line}\n`)
  const broken = found.some(({ status: { state } }) => state === "gone" || state === "unreadable")
  return broken ? EXIT.failed : EXIT.done
}

function lines({ file, scope, state, words, problem = "" }: ServerStatus, { title, name }: ServerSettings): string[] {
  const where = `${title}, ${scope === "user" ? "in your settings" : "in this project"} (${sanitiseLine(file)})`
  const again = `  Install it again with: retcon mcp install ${name}${scope === "user" ? "" : " --project"}`
  const command = sanitiseLine(words.join(" "))
  switch (state) {
    case "none":
      return scope === "user" ? [`${where}: not installed.`] : []
    case "installed":
      return [`${where}: installed.`]
    case "gone":
      return [`${where}: installed, but its program is missing: ${command}`, again]
    case "other":
      return [`${where}: installed from another retcon: ${command}`, again]
    case "unreadable":
      return [`${where}: ${sanitiseLine(problem)}`]
  }
}

interface ServerStatus {
  agent: string
  file: string
  scope: "user" | "project"
  /** `none`: not installed. `gone`: its program no longer exists. `other`: that of another retcon. */
  state: "installed" | "none" | "gone" | "other" | "unreadable"
  /** The words that start it. */
  words: string[]
  problem?: string
}

/**
 * Whether our server is in an agent's settings, and whether it could be started. In the person's settings, and in those
 * of this project.
 */
function serverStatus(cli: Cli, settings: ServerSettings): ServerStatus[] {
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
