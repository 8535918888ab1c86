// retcon hooks install|uninstall|status [AGENT]: snapshots of what another agent does, taken by that agent's hooks.
import { existsSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { AGENTS } from "../../app/library/agents.ts"
import { forgetInstalled } from "../../app/protection/before-install.ts"
import { hookProgram } from "../../app/protection/hook-program.ts"
import { type HookStatus, hookStatusOf, isBroken, repair, whyBroken } from "../../app/protection/hook-status.ts"
import {
  type AgentHooks,
  HOOKS,
  hooksOf,
  isNoChange,
  planInstall,
  planUninstall,
  withoutHooks,
} from "../../app/protection/install.ts"
import { safetyLines } from "../../app/protection/protection.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { ago } from "../../model/text/amounts.ts"
import { dayOf } from "../../model/text/gone-words.ts"
import { sanitiseLine, wrap } from "../../model/text/sanitise.ts"
import { changeSettings } from "../config/change-settings.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT, UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { wrapCommand } from "../render/wrap-command.ts"

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
  if (action === "status") return status(cli, agent === undefined ? HOOKS : [known(agent)], options)
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
  if (action === "uninstall" && isNoChange(planned) && options.dryRun !== true)
    forgetInstalled({ home: cli.home, file, what: "hooks" })
  const words = { agent: hooks.agent, same, done: done(hooks, action, options.project === true, hookProgram(cli).file) }
  return changeSettings(cli, planned, options, words)
}

function done({ agent, note }: AgentHooks, action: "install" | "uninstall", project: boolean, program: string): string {
  const scope = project ? " --project" : ""
  if (action === "uninstall") return `Removed the hooks for ${agentTitle(agent)}. Their snapshots stay.\n`
  const next = `Next: work in ${agentTitle(agent)} as usual. Then retcon prompts shows what each prompt changed, and retcon back takes the last one back.`
  const clone = cloneLines(program).map((line) => `${line.replace("That is", "They run from").trim()}\n`)
  return `Installed the hooks for ${agentTitle(agent)}. ${note}\n${next}\n${clone.join("")}Remove them with: retcon hooks uninstall ${agent}${scope}\n`
}

/** One screen: what is protected, since when, what is not, and what to do about it. */
async function status(cli: Cli, all: readonly AgentHooks[], options: HooksOptions): Promise<number> {
  const found = all.flatMap((hooks) => hookStatusOf(cli, hooks))
  if (options.json === true) printJson(cli.out, found)
  else {
    // What is installed in the project makes up for what is not in the person's own settings.
    const shown = found.filter((each) => each.state !== "none" || !found.some((other) => isBesides(each, other)))
    const lines = shown.flatMap((each) => statusLines(cli, each))
    if (options.agent === undefined) lines.push(...(await otherLines(cli)))
    cli.out.write(`${lines.join("\n")}\n`)
  }
  return found.some((each) => isBroken(each) || each.state === "unreadable") ? EXIT.failed : EXIT.done
}

function isBesides({ agent }: HookStatus, other: HookStatus): boolean {
  return other.agent === agent && other.state !== "none"
}

function statusLines(cli: Cli, status: HookStatus): string[] {
  const { width } = cli.out
  const { agent, file, scope, state, events, version, program = "", since, lastReport } = status
  const who = `${agentTitle(agent)}${scope === "user" ? "" : ", in this project"}`
  if (state === "none") {
    const install = `retcon hooks install ${agent}`
    return scope === "user" ? wrapCommand(`${who}: not protected. Protect its next prompts with:`, install, width) : []
  }
  if (state !== "installed" && state !== "other") {
    const never = state === "elsewhere" ? "not protected: " : state === "unreadable" ? "" : undefined
    const lost = since === undefined && never !== undefined ? never : "no longer protected: "
    return [`${who}: ${lost}${whyBroken(status)}.`, `  ${repair(status)}`].flatMap((line) => wrap(line, width))
  }
  const from = since === undefined ? "" : ` since ${dayOf(since)}`
  const last = lastReport === undefined ? "no snapshot yet" : `last snapshot ${ago(lastReport, cli.now())}`
  const again = `retcon hooks install ${agent}${scope === "user" ? "" : " --project"}`
  const other = state === "other" ? [`  That is another retcon, version ${version}. Use this one with: ${again}`] : []
  return [
    `${who}: protected${from}, ${last}.`,
    `  ${sanitiseLine(file)} runs ${sanitiseLine(program)}, version ${version}, on ${events.join(", ")}.`,
    ...other,
    ...cloneLines(program),
  ].flatMap((line) => wrap(line, width))
}

/** Agents whose sessions are here and that have no hooks; and what is not safe. */
async function otherLines(cli: Cli): Promise<string[]> {
  const listed = await cli.store.foreign.list()
  const agents = new Set(
    listed.flatMap(({ agent }) => (agent === undefined || hooksOf(agent) ? [] : [agentTitle(agent)])),
  )
  const without =
    agents.size === 0
      ? []
      : [
          `${[...agents].join(", ")}: no hooks to install. restore uses copies that the agent itself made, if there are any.`,
        ]
  return [...without, "retcon: always protected, it takes snapshots itself.", ...(await safetyLines(cli))].flatMap(
    (line) => wrap(line, cli.out.width),
  )
}

/** Hooks name the program by its path. One in a clone, as npm links it, goes where the clone goes. */
function cloneLines(program: string): string[] {
  const folder = dirname(dirname(program))
  if (program.includes(`${sep}node_modules${sep}`) || !existsSync(join(folder, "package.json"))) return []
  return [`  That is the folder ${sanitiseLine(folder)}: if you move or delete it, install the hooks again.`]
}
