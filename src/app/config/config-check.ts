// What an agent is forbidden must be understood before one starts: if a typo disabled a deny rule or the sandbox, the
// agent would be freer than the person believes.
import { join } from "node:path"
import { ruleProblem } from "../../agent/permission/rule-problems.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Json } from "../../model/json.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { readConfig } from "./config-file.ts"
import { ownConfig, readFolderConfig, WORKSPACE_FILE } from "./folder-trust.ts"
import { configFile } from "./home.ts"
import { parseSetting, readSettings, SETTINGS } from "./settings.ts"

const LISTS = { allow: '["Write"]', deny: '["Bash(rm *)"]', "sandbox.write": '["caches"]' } as const
const CHOICES = ["mode", "sandbox", "sandbox.network"] as const

export interface Unusable {
  file: string
  /** Each in words, without a full stop. */
  problems: string[]
}

/** The files that prevent an agent from starting in this folder. */
export function unusableConfig(home: string, cwd: string): Unusable[] {
  return [
    { file: configFile(home), problems: ownProblems(home) },
    { file: join(cwd, WORKSPACE_FILE), problems: workspaceProblems(home, cwd) },
  ].filter(({ problems }) => problems.length > 0)
}

/** Contract: throws RetconError `invalid` if an agent would start without what the files ask for. */
export function requireUsableConfig(home: string, cwd: string): void {
  const unusable = unusableConfig(home, cwd)
  if (unusable.length === 0) return
  const problem = unusable.map(({ file, problems }) => `${file} cannot be used: ${problems.join("; ")}.`).join(" ")
  const advice = "No agent was started, because what the file forbids would not apply. Fix the file, or move it away."
  throw new RetconError({ code: "invalid", problem, advice })
}

function ownProblems(home: string): string[] {
  const { raw, problems } = readSettings(readConfig(configFile(home)))
  if (raw === undefined) return problems
  const lists = Object.entries(LISTS).filter(([key]) => raw[key] !== undefined && !isListOfTexts(raw[key] as Json))
  const choices = CHOICES.filter((key) => raw[key] !== undefined && parseSetting(key, raw[key]) === undefined)
  return [
    ...lists.map(([key, example]) => `"${key}" must be a list of strings, such as ${example}`),
    ...choices.map((key) => `"${key}" must be one of ${SETTINGS[key].values.join(", ")}`),
    ...denyProblems(raw.deny as Json | undefined),
  ]
}

/** Only what it forbids is used unasked, so only that must be understood. */
function workspaceProblems(home: string, cwd: string): string[] {
  const { config, problem } = readFolderConfig(cwd, ownConfig(home))
  if (problem !== undefined) return [problem]
  const deny = config?.deny
  if (deny !== undefined && !isListOfTexts(deny)) return [`"deny" must be a list of strings, such as ${LISTS.deny}`]
  return denyProblems(deny)
}

function denyProblems(deny: Json | undefined): string[] {
  const rules = isListOfTexts(deny) ? deny : []
  return rules.flatMap((text) => {
    const problem = ruleProblem(text)
    return problem === undefined ? [] : [sanitiseLine(`the rule ${text} in "deny" forbids nothing: ${problem}`)]
  })
}

export function isListOfTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string")
}
