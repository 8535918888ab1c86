// retcon hooks install|uninstall|status [AGENT]: snapshots of what another agent does, taken by that agent's hooks.
import { AGENTS } from "../../formats/port.ts"
import { HOOKS, hooksOf, withoutHooks } from "../../hooks/all-hooks.ts"
import type { AgentHooks } from "../../hooks/port.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { changeSettings } from "../hook/change-settings.ts"
import { type HookStatus, hookStatusOf } from "../hook/hook-status.ts"
import { planInstall, planUninstall } from "../hook/install.ts"
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

const NAMES = HOOKS.map(({ agent }) => agent).join(", ")

export async function run(cli: Cli, options: HooksOptions): Promise<number | undefined> {
  const { action, agent } = options
  if (action === "status") return status(cli, agent === undefined ? HOOKS : [known(agent)], options.json === true)
  if (agent === undefined)
    throw new UsageError("Which agent?", `Use: retcon hooks ${action} ${HOOKS.map((each) => each.agent).join("|")}`)
  return change(cli, known(agent), { ...options, action })
}

/** Contract: throws `invalid` for an agent without usable hooks, and says what works instead. */
function known(name: string): AgentHooks {
  const hooks = hooksOf(name)
  if (hooks !== undefined) return hooks
  const without = withoutHooks(name)
  if (without !== undefined) {
    const advice = `${without.advice} These are: ${NAMES}.`
    throw new RetconError({ code: "invalid", problem: without.problem, advice })
  }
  const other = AGENTS.find((agent) => agent === name)
  if (other !== undefined) {
    const problem = `retcon has no hooks for ${agentTitle(other)}.`
    const advice = `retcon has hooks for: ${NAMES}. Where ${agentTitle(other)} keeps copies of files itself, diff and restore use those.`
    throw new RetconError({ code: "invalid", problem, advice })
  }
  throw new UsageError(`There is no agent called ${sanitiseLine(name)}.`, `retcon has hooks for: ${NAMES}.`)
}

async function change(cli: Cli, hooks: AgentHooks, options: HooksOptions & { action: "install" | "uninstall" }) {
  const { action } = options
  const file = hooks.settings.file(cli.store.foreign.homes, options.project === true ? cli.cwd : undefined)
  const planned = action === "install" ? planInstall(cli, hooks, file) : planUninstall(cli, hooks, file)
  const same =
    action === "install"
      ? `The hooks for ${agentTitle(hooks.agent)} are already installed in ${sanitiseLine(file)}.\n`
      : `${sanitiseLine(file)} has no retcon hooks. Nothing was changed.\n`
  const words = { agent: hooks.agent, same, done: done(hooks, action, options.project === true) }
  return changeSettings(cli, planned, options, words)
}

function done({ agent, note }: AgentHooks, action: "install" | "uninstall", project: boolean): string {
  const scope = project ? " --project" : ""
  if (action === "uninstall") return `Removed the hooks for ${agentTitle(agent)}. Their snapshots stay.\n`
  const next = `Next: work in ${agentTitle(agent)} as usual. Then retcon prompts shows what each prompt changed, and retcon back takes the last one back.`
  return `Installed the hooks for ${agentTitle(agent)}. ${note}\n${next}\nRemove them with: retcon hooks uninstall ${agent}${scope}\n`
}

function status(cli: Cli, all: readonly AgentHooks[], json: boolean): number {
  const found = all.flatMap((hooks) => hookStatusOf(cli, hooks))
  if (json) printJson(cli.out, found)
  else for (const each of found) for (const line of statusLines(each)) cli.out.write(`${line}\n`)
  return found.some(({ state }) => state === "gone" || state === "unreadable") ? EXIT.failed : EXIT.done
}

function statusLines({ agent, file, scope, state, events, version, program = "", problem = "" }: HookStatus): string[] {
  const where = `${agentTitle(agent)}, ${scope === "user" ? "in your settings" : "in this project"} (${sanitiseLine(file)})`
  const again = `Install it again with: retcon hooks install ${agent}${scope === "user" ? "" : " --project"}`
  switch (state) {
    case "none":
      return scope === "user" ? [`${where}: not installed.`] : []
    case "installed":
      return [`${where}: installed, version ${version}, on ${events.join(", ")}.`]
    case "gone":
      return [`${where}: installed, but its program is missing: ${sanitiseLine(program)}`, `  ${again}`]
    case "other":
      return [`${where}: installed from another retcon, version ${version}: ${sanitiseLine(program)}`, `  ${again}`]
    case "unreadable":
      return [`${where}: ${sanitiseLine(problem)}`]
  }
}
