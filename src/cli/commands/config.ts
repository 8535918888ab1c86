// retcon config [KEY [VALUE]]: retcon's own settings, in config.json in its home.
import { changeConfig, readConfig } from "../../app/config/config-file.ts"
import { configFile } from "../../app/config/home.ts"
import {
  defaultSettings,
  parseSetting,
  parseSettingKey,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
} from "../../app/config/settings.ts"
import {
  nameOf,
  parseWorkspaceKey,
  parseWorkspaceValue,
  printWorkspaceValue,
  readWorkspaceSettings,
  valuesOf,
  WORKSPACE_KEYS,
  WORKSPACE_SETTINGS,
  type WorkspaceKey,
} from "../../app/config/workspace-settings.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { wrap } from "../../model/text/sanitise.ts"
import { AGENT_KEYS, AGENT_SETTINGS, type AgentKey, parseAgentKey } from "../config/agent-settings.ts"
import { tellConfigProblems } from "../config/config-problems.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"

const ALL_KEYS: string[] = [...SETTING_KEYS, ...AGENT_KEYS, ...WORKSPACE_KEYS.map(nameOf)]

/** Descriptions of settings are not broken into shorter lines than this. */
const NARROWEST = 20

interface ConfigOptions {
  key?: string
  value?: string
  unset?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: ConfigOptions): Promise<void> {
  if (options.key === undefined) {
    if (options.unset === true) throw new UsageError("--unset needs a key.", `Possible: ${ALL_KEYS.join(", ")}.`)
    if (options.json === true) printJson(cli.out, allValues(cli))
    else showAll(cli)
    tellConfigProblems(cli)
    return
  }
  const key = parseSettingKey(options.key)
  const workspaceKey = parseWorkspaceKey(options.key)
  if (options.unset === true && options.value !== undefined) {
    throw new UsageError("--unset takes no value.", `Use: retcon config ${options.key} --unset`)
  }
  const agentKey = parseAgentKey(options.key)
  if (agentKey !== undefined) {
    runAgentKey(cli, agentKey, options)
    return
  }
  if (workspaceKey !== undefined) {
    runWorkspaceKey(cli, workspaceKey, options)
    return
  }
  if (key === undefined) {
    throw new RetconError({ code: "not-found", what: "key", name: options.key, possible: ALL_KEYS })
  }
  if (options.unset === true || options.value !== undefined) change(cli, key, options.value)
  const value = options.unset === true ? defaultSettings()[key] : (options.value ?? cli.settings[key])
  if (options.json === true) printJson(cli.out, { key, value, values: SETTINGS[key].values })
  else cli.out.write(`${value}\n`)
}

/** Contract: every key that a person may name, with its value as in `config KEY --json`. */
function allValues(cli: Cli): Record<string, unknown> {
  const { settings } = readWorkspaceSettings(readConfig(configFile(cli.home)))
  return {
    ...cli.settings,
    ...Object.fromEntries(AGENT_KEYS.map((key) => [key, AGENT_SETTINGS[key].show(cli)])),
    ...Object.fromEntries(WORKSPACE_KEYS.map((key) => [nameOf(key), settings[key]])),
  }
}

function showAll(cli: Cli): void {
  const { settings } = readWorkspaceSettings(readConfig(configFile(cli.home)))
  const rows = [
    ...SETTING_KEYS.map((key) => [key, cli.settings[key], SETTINGS[key].about]),
    ...AGENT_KEYS.map((key) => [key, AGENT_SETTINGS[key].show(cli), AGENT_SETTINGS[key].about]),
    ...WORKSPACE_KEYS.map((key) => [
      nameOf(key),
      printWorkspaceValue(key, settings[key]),
      WORKSPACE_SETTINGS[key].about,
    ]),
  ]
  const wide = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const left = wide(0) + wide(1) + 4
  for (const [key = "", value = "", about = ""] of rows) {
    // In a pipe a setting stays on one line.
    const room = cli.out.isTerminal ? Math.max(NARROWEST, cli.out.width - left) : Number.POSITIVE_INFINITY
    const [first = "", ...more] = wrap(about, room)
    cli.out.write(`${key.padEnd(wide(0))}  ${value.padEnd(wide(1))}  ${first}\n`)
    for (const line of more) cli.out.write(`${" ".repeat(left)}${line}\n`)
  }
}

function change(cli: Cli, key: SettingKey, value: string | undefined): void {
  if (value !== undefined && parseSetting(key, value) === undefined) {
    const advice = `Use one of: ${SETTINGS[key].values.join(", ")}.`
    throw new RetconError({ code: "invalid", problem: `"${value}" is not a valid value for ${key}.`, advice })
  }
  changeConfig(cli.home, (raw) => withKey(raw, key, value))
}

/** `retcon config model [VALUE]`, `retcon config trust [VALUE]`. */
function runAgentKey(cli: Cli, key: AgentKey, { value, unset, json }: ConfigOptions): void {
  const setting = AGENT_SETTINGS[key]
  if (unset === true || value !== undefined) setting.set(cli, value)
  const shown = setting.show(cli)
  if (json === true) printJson(cli.out, { key, value: shown, values: setting.values })
  else cli.out.write(`${shown}\n`)
}

/** `retcon config workspace.KEY [VALUE]`. */
function runWorkspaceKey(cli: Cli, key: WorkspaceKey, options: ConfigOptions): void {
  const { value, unset } = options
  if (unset === true || value !== undefined) {
    const parsed = value === undefined ? undefined : parseWorkspaceValue(key, value)
    if (value !== undefined && parsed === undefined) {
      const problem = `"${value}" is not a valid value for ${nameOf(key)}.`
      throw new RetconError({ code: "invalid", problem, advice: `Use ${valuesOf(key)}.` })
    }
    changeConfig(cli.home, (raw) => {
      const own = isObject(raw.workspace) ? raw.workspace : {}
      return withKey(raw, "workspace", withKey(own, key, parsed))
    })
  }
  const { settings } = readWorkspaceSettings(readConfig(configFile(cli.home)))
  if (options.json === true) printJson(cli.out, { key: nameOf(key), value: settings[key], values: valuesOf(key) })
  else cli.out.write(`${printWorkspaceValue(key, settings[key])}\n`)
}

function withKey(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  const { [key]: _, ...others } = object
  return value === undefined ? others : { ...others, [key]: value }
}
