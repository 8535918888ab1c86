// What the agent is configured with: config.json of retcon's home, then .retcon.json of a trusted workspace.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Trust, workspaceConfig } from "../agent/trust.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../model/json.ts"
import { Key } from "../provider/key.ts"
import type { ModelSettings, ProviderSettings } from "../provider/settings.ts"
import { configFile } from "./home.ts"

export interface AgentConfig {
  models: ModelSettings
  allow: string[]
  deny: string[]
  /** As people write it; parsed where it is used. */
  mcp: Json
  /** What was left out, for a notice. */
  notices: string[]
}

export function readAgentConfig(home: string, cwd: string): AgentConfig {
  const own = readObject(configFile(home)) ?? {}
  const trust: Trust = strings(own.trusted).includes(cwd) ? "trusted" : "unknown"
  const theirs = readObject(join(cwd, ".retcon.json"))
  const { used, withheld } = theirs === undefined ? { used: {}, withheld: [] } : workspaceConfig(theirs, trust)
  const notTrusted = withheld.filter(({ because }) => because === "not-trusted").map(({ key }) => key)
  const hint = `"trusted": [${JSON.stringify(cwd)}] in ${configFile(home)}`
  return {
    models: modelSettings(own, used),
    allow: [...strings(own.allow), ...strings(used.allow)],
    deny: [...strings(own.deny), ...strings(used.deny)],
    mcp: { ...objectOf(used.mcp), ...objectOf(own.mcp) },
    notices:
      notTrusted.length === 0
        ? []
        : [`.retcon.json is not used (${notTrusted.join(", ")}): trust this folder with ${hint}`],
  }
}

/** Undefined when there is none, or none that can be read: a typing error must not stop the agent. */
function readObject(file: string): JsonObject | undefined {
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined
    throw error
  }
  const json = parseJson(text)
  return json.ok && isObject(json.value) ? json.value : undefined
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : []
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** Keys come only from our own home, never from a workspace. */
function modelSettings(own: JsonObject, used: JsonObject): ModelSettings {
  const model = typeof own.model === "string" ? own.model : typeof used.model === "string" ? used.model : undefined
  const providers = Object.fromEntries(
    Object.entries(objectOf(own.providers)).flatMap(([name, value]) =>
      isObject(value) ? [[name, providerSettings(value)] as const] : [],
    ),
  )
  return { providers, ...(model === undefined || model === "" ? {} : { model }) }
}

function providerSettings(value: JsonObject): ProviderSettings {
  const { baseUrl, key, keyVariable, model } = value
  return {
    ...(typeof baseUrl === "string" ? { baseUrl } : {}),
    ...(typeof key === "string" ? { key: new Key(key) } : {}),
    ...(typeof keyVariable === "string" ? { keyVariable } : {}),
    ...(typeof model === "string" ? { model } : {}),
  }
}
