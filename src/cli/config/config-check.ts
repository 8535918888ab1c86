// What config.json says about what an agent may do must be understood before one starts: a rule that forbids, or a sandbox,
// that got lost by a typing error would leave the agent freer than the person believes.
import { RetconError } from "../../model/failure/failure.ts"
import type { Json } from "../../model/json.ts"
import { parseSetting, readSettings, SETTINGS } from "../port/settings.ts"
import { configFile } from "../process/home.ts"
import { readConfig } from "./config-file.ts"

const LISTS = { allow: '["Write"]', deny: '["Bash(rm *)"]', "sandbox.write": '["caches"]' } as const
const CHOICES = ["mode", "sandbox", "sandbox.network"] as const

/** What keeps an agent from starting, in words; empty when nothing does. */
export function configProblems(home: string): string[] {
  const { raw, problems } = readSettings(readConfig(configFile(home)))
  if (raw === undefined) return problems
  const lists = Object.entries(LISTS).filter(([key]) => raw[key] !== undefined && !isListOfTexts(raw[key] as Json))
  const choices = CHOICES.filter((key) => raw[key] !== undefined && parseSetting(key, raw[key]) === undefined)
  return [
    ...lists.map(([key, example]) => `"${key}" is a list of texts, such as ${example}`),
    ...choices.map((key) => `"${key}" is one of ${SETTINGS[key].values.join(", ")}`),
  ]
}

/** Contract: throws RetconError `invalid` when an agent would start without what the file asks for. */
export function requireUsableConfig(home: string): void {
  const problems = configProblems(home)
  if (problems.length === 0) return
  throw new RetconError({
    code: "invalid",
    problem: `${configFile(home)} cannot be used: ${problems.join("; ")}.`,
    hint: "No agent was started, because what the file forbids would not count. Fix the file, or move it away.",
  })
}

export function isListOfTexts(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string")
}
