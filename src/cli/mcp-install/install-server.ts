// retcon mcp install|uninstall|status: our server in the settings of other agents.
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { type ChangeFlags, changeSettings } from "../hook/change-settings.ts"
import { planAdd, planRemove } from "../hook/install.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT, UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { SERVER_SETTINGS, settingsOf } from "./agents.ts"
import type { ServerSettings } from "./port.ts"
import { serverProgram } from "./server-program.ts"
import { type ServerStatus, serverStatus } from "./server-status.ts"

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
