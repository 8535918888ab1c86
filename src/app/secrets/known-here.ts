// What is known to be secret on this machine: variables, .env files, retcon's own keys, and the person's home folder.
import { realpathSync } from "node:fs"
import { isObject, type Json, parseJson } from "../../model/json.ts"
import { type KnownSecrets, knownSecrets } from "../../redact/known.ts"
import type { Variable } from "../../redact/value/dotenv.ts"
import { readConfig } from "../config/config-file.ts"
import { configFile } from "../config/home.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { readEnvFiles } from "./env-files.ts"

export interface KnownHere {
  known: KnownSecrets
  /** What could not be read, in sentences. */
  problems: string[]
}

/** The part of `AppDeps` that knows about secrets. */
export type Machine = Pick<AppDeps, "cwd" | "home" | "env">

/** Contract: `folder` is the session's; the working directory counts as well. Never throws. */
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

/** Keys of providers, and what servers get: every string in config.json, with its name. */
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

/** A file that cannot be read contains no key that was used. */
function readOwn(home: string): Json {
  try {
    const parsed = parseJson(readConfig(configFile(home)) ?? "null")
    return parsed.ok ? parsed.value : null
  } catch {
    return null
  }
}
