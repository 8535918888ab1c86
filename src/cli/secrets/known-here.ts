// What is known to be secret on this machine: variables, .env files, retcon's own keys, and where the person's home is.
import { realpathSync } from "node:fs"
import { isObject, type Json, parseJson } from "../../model/json.ts"
import { type KnownSecrets, knownSecrets } from "../../redact/known.ts"
import type { Variable } from "../../redact/value/dotenv.ts"
import { readConfig } from "../config/config-file.ts"
import type { Cli } from "../port/cli.ts"
import { configFile } from "../process/home.ts"
import { readEnvFiles } from "./env-files.ts"

export interface KnownHere {
  known: KnownSecrets
  /** What could not be read, in sentences. */
  problems: string[]
}

/** What knows of secrets: part of `Cli`. */
export type Machine = Pick<Cli, "cwd" | "home" | "env">

/** Contract: `folder` is that of the session; the working directory counts as well. Never throws. */
export function knownHere({ cwd, home, env }: Machine, folder: string): KnownHere {
  const files = [...new Set([folder, cwd])].map(readEnvFiles)
  const variables = [
    ...Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
    ...files.flatMap((each) => each.variables),
    ...configured(home),
  ]
  return { known: knownSecrets(variables, homes(env.HOME)), problems: files.flatMap((each) => each.problems) }
}

function homes(home: string | undefined): string[] {
  if (home === undefined || home === "") return []
  try {
    return [...new Set([home, realpathSync(home)])]
  } catch {
    return [home]
  }
}

/** Keys of providers, and what servers get: every text of config.json, with its name. */
function configured(home: string): Variable[] {
  const variables: Variable[] = []
  const visit = (value: Json, name: string) => {
    if (typeof value === "string") variables.push({ name, value })
    else if (Array.isArray(value)) for (const each of value) visit(each, name)
    else if (isObject(value)) for (const [key, each] of Object.entries(value)) visit(each, key)
  }
  visit(readOwn(home), "")
  return variables
}

/** One that cannot be read holds no key that was used. */
function readOwn(home: string): Json {
  try {
    const parsed = parseJson(readConfig(configFile(home)) ?? "null")
    return parsed.ok ? parsed.value : null
  } catch {
    return null
  }
}
