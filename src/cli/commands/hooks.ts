// retcon hooks install|uninstall|status [AGENT]: snapshots of what another agent does, taken by hooks of that agent.
import { HOOKS, hooksOf, withoutHooks } from "../../hooks/all.ts"
import type { AgentHooks } from "../../hooks/port.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { changeSettings } from "../hook/change-settings.ts"
import { planInstall, planUninstall } from "../hook/install.ts"
import { type HookStatus, statusOf } from "../hook/status.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT, UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"

interface HooksOptions {
  action: "install" | "uninstall" | "status"
  agent?: string
  project?: boolean
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: HooksOptions): Promise<number | undefined> {
  const { action, agent } = options
  if (action === "status") return status(cli, agent === undefined ? HOOKS : [known(agent)], options.json === true)
  if (agent === undefined)
    throw new UsageError("Which agent?", `Use: retcon hooks ${action} ${HOOKS.map((each) => each.agent).join("|")}`)
  return change(cli, known(agent), { ...options, action })
}

/** Contract: throws `invalid` for an agent that has no hooks that could be used, and says what works instead. */
function known(name: string): AgentHooks {
  const hooks = hooksOf(name)
  if (hooks !== undefined) return hooks
  const without = withoutHooks(name)
  if (without !== undefined) throw new RetconError({ code: "invalid", ...without })
  throw new UsageError(
    `No agent is called ${sanitiseLine(name)}.`,
    `There are hooks for: ${HOOKS.map(({ agent }) => agent).join(", ")}.`,
  )
}

async function change(cli: Cli, hooks: AgentHooks, options: HooksOptions & { action: "install" | "uninstall" }) {
  const { action } = options
  const file = hooks.settings.file(cli.store.foreign.homes, options.project === true ? cli.cwd : undefined)
  const planned = action === "install" ? planInstall(cli, hooks, file) : planUninstall(cli, hooks, file)
  const same =
    action === "install"
      ? `The hooks of ${agentTitle(hooks.agent)} are installed already, in ${sanitiseLine(file)}.\n`
      : `No hooks of retcon are in ${sanitiseLine(file)}. Nothing was changed.\n`
  const words = { agent: hooks.agent, same, done: done(hooks, action, options.project === true) }
  return changeSettings(cli, planned, options, words)
}

function done({ agent, note }: AgentHooks, action: "install" | "uninstall", project: boolean): string {
  const scope = project ? " --project" : ""
  if (action === "uninstall") return `Removed the hooks of ${agentTitle(agent)}. Snapshots that they took stay.\n`
  return `Installed the hooks of ${agentTitle(agent)}. ${note}\nRemove them with: retcon hooks uninstall ${agent}${scope}\n`
}

function status(cli: Cli, all: readonly AgentHooks[], json: boolean): number {
  const found = all.flatMap((hooks) => statusOf(cli, hooks))
  if (json) printJson(cli.out, found)
  else for (const each of found) for (const line of statusLines(each)) cli.out.write(`${line}\n`)
  return found.some(({ state }) => state === "gone" || state === "unreadable") ? EXIT.failed : EXIT.done
}

function statusLines({ agent, file, scope, state, events, version, program = "", problem = "" }: HookStatus): string[] {
  const where = `${agentTitle(agent)}, ${scope === "user" ? "for you" : "in this project"} (${sanitiseLine(file)})`
  const again = `Install it again with: retcon hooks install ${agent}${scope === "user" ? "" : " --project"}`
  switch (state) {
    case "none":
      return scope === "user" ? [`${where}: not installed.`] : []
    case "installed":
      return [`${where}: installed, version ${version}, at ${events.join(", ")}.`]
    case "gone":
      return [`${where}: installed, but its program is gone: ${sanitiseLine(program)}`, `  ${again}`]
    case "other":
      return [`${where}: installed from another retcon, version ${version}: ${sanitiseLine(program)}`, `  ${again}`]
    case "unreadable":
      return [`${where}: ${sanitiseLine(problem)}`]
  }
}
