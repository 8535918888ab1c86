// What is installed where, and whether it still works. A hook that cannot run cannot say so: everybody else does.
import { closeSync, existsSync, fstatSync, openSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { ourLogsFolder } from "../../foreign/log/our-paths.ts"
import { HOOKS } from "../../hooks/all-hooks.ts"
import { readCommand } from "../../hooks/command.ts"
import type { AgentHooks } from "../../hooks/port.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isObject, parseJson } from "../../model/json.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { orNothing } from "../../store/file/disk/problems.ts"
import { readAt } from "../../store/file/disk/read-at.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { installedAt } from "./before-install.ts"
import { hookProgram, usualHome } from "./hook-program.ts"
import { readSettingsFile } from "./settings-file.ts"

export interface HookStatus {
  agent: string
  file: string
  scope: "user" | "project"
  /**
   * `none`: not installed. `other`: of another retcon, or another version; it works. All others do not work: `gone`: its program
   * no longer exists. `partial`: not for all events or tools. `elsewhere`: it reports to another retcon home. `removed`: somebody else took it out of the file. `off`: the agent's settings
   * stop all hooks. `unreadable`: the agent cannot read the file either.
   */
  state: "installed" | "other" | "none" | "gone" | "partial" | "elsewhere" | "removed" | "off" | "unreadable"
  events: string[]
  version?: string
  program?: string
  /** Why it does not work, to complete "not protected: ". */
  problem?: string
  /** When it was installed, and when it last took a snapshot: ISO times, if known. */
  since?: string
  lastReport?: string
}

/** In the person's settings, and in those of this project. */
export function hookStatusOf(deps: AppDeps, hooks: AgentHooks): HookStatus[] {
  const { homes } = deps.store.foreign
  const scopes = [
    { scope: "user" as const, file: hooks.settings.file(homes) },
    { scope: "project" as const, file: hooks.settings.file(homes, deps.cwd) },
  ]
  return scopes
    .filter(({ file }, i) => scopes.findIndex((each) => each.file === file) === i)
    .map(({ scope, file }) => {
      const since = installedAt({ home: deps.home, file, what: "hooks" })?.toISOString()
      const state = stateOf(deps, hooks, file, since !== undefined)
      return {
        agent: hooks.agent,
        file,
        scope,
        ...state,
        ...(since !== undefined && state.state !== "none" && { since }),
      }
    })
}

/** Installed hooks that do not work, of all agents. Contract: reads a few small files; nothing if no hooks were ever installed. */
export function brokenHooks(deps: AppDeps): HookStatus[] {
  if (!existsSync(join(deps.home, "hooks"))) return []
  return HOOKS.flatMap((hooks) => hookStatusOf(deps, hooks)).filter(isBroken)
}

/** A settings file that cannot be read, or has hooks for another home, matters only if there were hooks of ours in it. */
export function isBroken({ state, since }: HookStatus): boolean {
  if (state === "unreadable" || state === "elsewhere") return since !== undefined
  return state !== "installed" && state !== "other" && state !== "none"
}

/** What is wrong, and what to do. */
export function brokenLine(status: HookStatus): string {
  return `${agentTitle(status.agent)} is no longer protected: ${whyBroken(status)}. ${repair(status)}`
}

export function whyBroken({ problem = "" }: HookStatus): string {
  return sanitiseLine(problem)
}

export function repair({ agent, scope, state, file }: HookStatus): string {
  const named = `${agent}${scope === "user" ? "" : " --project"}`
  if (state === "off") return "Remove that setting, and restart the agent."
  if (state === "unreadable") return `Fix ${sanitiseLine(file)} in an editor.`
  if (state === "elsewhere") return `Make them report here instead with: retcon hooks install ${named}`
  if (state === "removed")
    return `Install them again with: retcon hooks install ${named}, or forget them with: retcon hooks uninstall ${named}`
  return `Repair it with: retcon hooks install ${named}`
}

type State = Omit<HookStatus, "agent" | "file" | "scope">

function stateOf(deps: AppDeps, hooks: AgentHooks, file: string, remembered: boolean): State {
  const { settings } = hooks
  try {
    const text = readSettingsFile(file)?.toString("utf8") ?? ""
    const found = settings.read(text)
    const events = found.map(({ event }) => event)
    const program = readCommand(found[0]?.command)
    if (program === undefined) {
      const checked = text === "" ? undefined : settings.remove(text)
      if (checked?.ok === false) {
        const line = checked.line === undefined ? "" : `line ${checked.line}: `
        return { state: "unreadable", events, problem: `${file} cannot be read: ${line}${checked.problem}` }
      }
      if (remembered) return { state: "removed", events, problem: `the hooks are no longer in ${file}` }
      return { state: "none", events }
    }
    const last = lastReport(deps, hooks.agent)
    const about = {
      events,
      version: program.version,
      program: program.file,
      ...(last !== undefined && { lastReport: last }),
    }
    const missing = [program.node, program.file].find((path) => !existsSync(path))
    if (missing !== undefined) return { state: "gone", ...about, problem: `${missing}, which the hooks run, is gone` }
    const off = switchedOff(deps, hooks)
    if (off !== undefined) return { state: "off", ...about, problem: off }
    const whole = settings.add(text, program)
    if (whole.ok && settings.read(whole.text).length > found.length)
      return {
        state: "partial",
        ...about,
        problem: `some of the hooks are no longer in ${file}, or run for fewer tools`,
      }
    const own = hookProgram(deps)
    if (program.home !== own.home) {
      const there = program.home ?? usualHome(deps)
      return { state: "elsewhere", ...about, problem: `the hooks in ${file} report to another retcon home, ${there}` }
    }
    const same = program.file === own.file && program.version === own.version
    return { state: same ? "installed" : "other", ...about }
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    return { state: "unreadable", events: [], problem: error.message.replace(/\.$/, "") }
  }
}

function switchedOff(deps: AppDeps, { off }: AgentHooks): string | undefined {
  for (const file of off?.files(deps.store.foreign.homes, deps.cwd) ?? []) {
    const text = orNothing(() => readSettingsFile(file))?.toString("utf8")
    const key = text === undefined ? undefined : off?.keyIn(text)
    if (key !== undefined) return `${key} in ${file} stops all hooks`
  }
  return undefined
}

/** How many of the newest records to look into. */
const MOST_LOOKED_INTO = 3

/** The time of the last snapshot that this agent's hooks took. */
function lastReport(deps: AppDeps, agent: string): string | undefined {
  const folder = join(ourLogsFolder(deps.home), agent)
  const files = (orNothing(() => readdirSync(folder)) ?? []).filter((name) => name.endsWith(".jsonl"))
  const times = files.map((name) => ({
    file: join(folder, name),
    at: orNothing(() => statSync(join(folder, name)))?.mtimeMs ?? 0,
  }))
  const newest = times.sort((a, b) => b.at - a.at).slice(0, MOST_LOOKED_INTO)
  const found = newest.flatMap(({ file }) => lastSnapshotIn(file) ?? [])
  return found.sort().at(-1)
}

const TAIL = 64 * 1024

function lastSnapshotIn(file: string): string | undefined {
  const lines = (orNothing(() => endOf(file)) ?? "").split("\n")
  for (const line of lines.reverse()) {
    const json = line.includes('"snapshot"') ? parseJson(line) : undefined
    if (
      json?.ok === true &&
      isObject(json.value) &&
      json.value.type === "snapshot" &&
      typeof json.value.at === "string"
    )
      return json.value.at
  }
  return undefined
}

function endOf(file: string): string {
  const fd = openSync(file, "r")
  try {
    const { size } = fstatSync(fd)
    return readAt(fd, Math.max(0, size - TAIL), TAIL).toString("utf8")
  } finally {
    closeSync(fd)
  }
}
