// How files are covered: "workspace" in retcon's own config.json. `retcon config workspace.KEY VALUE` changes it.
import { isObject, type Json, parseJson } from "../../model/json.ts"
import { bytes } from "../../model/text/amounts.ts"
import { DEFAULT_SETTINGS, type WorkspaceSettings } from "../../workspace/port.ts"

type Kind = "number" | "bytes" | "yes-no" | "patterns"

export const WORKSPACE_SETTINGS = {
  maxFiles: { kind: "number", about: "folders with more files are covered only if allowed" },
  maxFileSize: { kind: "bytes", about: "larger files that git does not track are not covered" },
  include: { kind: "patterns", about: "ignored files to cover anyway, as .gitignore patterns" },
  budget: { kind: "bytes", about: "disk space for the snapshots of one folder" },
  allowAny: { kind: "yes-no", about: "also cover home directories and folders with very many files" },
} as const satisfies Record<keyof WorkspaceSettings, { kind: Kind; about: string }>

export type WorkspaceKey = keyof WorkspaceSettings

export const WORKSPACE_KEYS = Object.keys(WORKSPACE_SETTINGS) as WorkspaceKey[]
const PREFIX = "workspace."

/** The key after `workspace.`. */
export function parseWorkspaceKey(name: string): WorkspaceKey | undefined {
  return WORKSPACE_KEYS.find((key) => name === PREFIX + key)
}

export function nameOf(key: WorkspaceKey): string {
  return PREFIX + key
}

/** The possible values of the key, in words. */
export function valuesOf(key: WorkspaceKey): string {
  const words: Record<Kind, string> = {
    number: "a number",
    bytes: "a number of bytes, or 500KB, 20MB, 4GB",
    "yes-no": "true or false",
    patterns: "patterns, separated by commas",
  }
  return words[WORKSPACE_SETTINGS[key].kind]
}

/** From what a person typed, or from the file. Undefined if it is not a valid value for that key. */
export function parseWorkspaceValue(key: WorkspaceKey, value: Json): Json | undefined {
  switch (WORKSPACE_SETTINGS[key].kind) {
    case "number":
      return positive(value)
    case "bytes":
      return positive(typeof value === "string" ? fromSize(value) : value)
    case "yes-no":
      return value === true || value === "true" ? true : value === false || value === "false" ? false : undefined
    case "patterns":
      return patterns(value)
  }
}

function positive(value: Json): number | undefined {
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : undefined
}

const UNITS = new Map([
  ["", 1],
  ["KB", 1000],
  ["MB", 1000 ** 2],
  ["GB", 1000 ** 3],
])

function fromSize(text: string): number {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(KB|MB|GB)?$/i.exec(text.trim()) ?? []
  return number === "" ? Number.NaN : Math.round(Number(number) * (UNITS.get(unit.toUpperCase()) ?? Number.NaN))
}

function patterns(value: Json): string[] | undefined {
  const list = typeof value === "string" ? value.split(",").map((each) => each.trim()) : value
  if (!Array.isArray(list)) return undefined
  const texts = list.filter((each): each is string => typeof each === "string" && each !== "")
  return texts.length === list.length ? texts : undefined
}

/** Contract: never fails; what cannot be used is named, and the default is used instead. */
export function readWorkspaceSettings(config: string | undefined): { settings: WorkspaceSettings; problems: string[] } {
  const json = config === undefined ? undefined : parseJson(config)
  const own = json?.ok === true && isObject(json.value) ? json.value.workspace : undefined
  const settings: Record<string, Json> = { ...DEFAULT_SETTINGS }
  const problems: string[] = []
  for (const [name, value] of Object.entries(isObject(own) ? own : {})) {
    const key = parseWorkspaceKey(PREFIX + name)
    if (key === undefined) continue
    const parsed = parseWorkspaceValue(key, value)
    if (parsed === undefined) problems.push(`"workspace.${key}" must be ${valuesOf(key)}`)
    else settings[key] = parsed
  }
  return { settings: settings as unknown as WorkspaceSettings, problems }
}

/** As `retcon config` shows it. */
export function printWorkspaceValue(key: WorkspaceKey, value: WorkspaceSettings[WorkspaceKey]): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(",")
  return WORKSPACE_SETTINGS[key].kind === "bytes" ? bytes(Number(value)) : String(value)
}
