// retcon's own config.json: a closed list of keys, each with its values, its default and its purpose.
import { isObject, parseJson } from "../../model/json.ts"

interface Setting {
  values: readonly [string, ...string[]]
  about: string
}

/** The first value is the default. */
export const SETTINGS = {
  durability: { values: ["sync", "fast"], about: "sync: prompts and moves survive a power cut; fast: only a crash" },
  files: { values: ["keep", "restore"], about: "what a move does with the workspace's files" },
  mode: { values: ["default", "plan", "autoEdit", "yolo"], about: "what the agent may do without asking" },
  sandbox: {
    values: ["auto", "on", "off"],
    about: "auto: sandbox commands that run without asking, if possible; on: all commands",
  },
  "sandbox.network": { values: ["on", "off"], about: "whether sandboxed commands can reach the network" },
  colour: { values: ["auto", "always", "never"], about: "auto: colours in a terminal only" },
  pager: { values: ["auto", "never"], about: "auto: log and show use a pager in a terminal" },
  notify: {
    values: ["bell", "desktop", "none"],
    about: "how to notify you when a turn ends or a question waits",
  },
  "keep.auto": {
    values: ["on", "off"],
    about: "on: commands also copy new parts of other agents' sessions, for at most 50 ms",
  },
  "keep.budget": {
    values: ["5GB", "1GB", "2GB", "10GB", "20GB", "50GB", "none"],
    about: "size of these copies above which retcon keep warns; nothing is ever removed",
  },
  "mcp.restore": {
    values: ["plan", "apply"],
    about: "what agents may do through retcon mcp: plan a restore of files, or also apply it",
  },
} as const satisfies Record<string, Setting>

export type SettingKey = keyof typeof SETTINGS
export type Settings = { [Key in SettingKey]: (typeof SETTINGS)[Key]["values"][number] }

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[]

export function parseSettingKey(name: string): SettingKey | undefined {
  return SETTING_KEYS.find((key) => key === name)
}

export function parseSetting<Key extends SettingKey>(key: Key, value: unknown): Settings[Key] | undefined {
  const values: readonly string[] = SETTINGS[key].values
  return values.find((each) => each === value) as Settings[Key] | undefined
}

export function defaultSettings(): Settings {
  return Object.fromEntries(SETTING_KEYS.map((key) => [key, SETTINGS[key].values[0]])) as Settings
}

export interface ReadSettings {
  settings: Settings
  /** Everything in the file, including keys of a newer version; undefined if it cannot be read at all. */
  raw: Record<string, unknown> | undefined
  /** What could not be used; the default applies instead. */
  problems: string[]
}

/** Contract: never fails, so that a typo in the file stops no command. */
export function readSettings(text: string | undefined): ReadSettings {
  const settings = defaultSettings()
  if (text === undefined) return { settings, raw: {}, problems: [] }
  const json = parseJson(text)
  if (!json.ok) return { settings, raw: undefined, problems: [`it is not JSON (${json.problem})`] }
  if (!isObject(json.value)) return { settings, raw: undefined, problems: ["it is not an object"] }
  const problems: string[] = []
  for (const [name, value] of Object.entries(json.value)) {
    const key = parseSettingKey(name)
    if (key === undefined) continue
    const parsed = parseSetting(key, value)
    if (parsed === undefined) problems.push(`"${key}" must be one of ${SETTINGS[key].values.join(", ")}`)
    else Object.assign(settings, { [key]: parsed })
  }
  return { settings, raw: json.value, problems }
}
