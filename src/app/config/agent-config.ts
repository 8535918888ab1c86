// The agent's configuration: config.json in retcon's home, then .retcon.json of a trusted workspace.
import { statSync } from "node:fs"
import { rootedProblems } from "../../agent/permission/rooted-rules.ts"
import { allowProblems } from "../../agent/permission/rule-problems.ts"
import { workspaceConfig } from "../../agent/prompt/trust.ts"
import { CACHES } from "../../agent/sandbox/machine-folders.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { ModelSettings } from "../../provider/catalogue/model-settings.ts"
import type { WindowLimits } from "../../runner/window/threshold.ts"
import { isListOfTexts } from "./config-check.ts"
import { ownConfig, readFolderConfig, WORKSPACE_FILE, withheldFrom } from "./folder-trust.ts"
import { configFile } from "./home.ts"
import { unknownFolderKeys, unknownKeys } from "./known-keys.ts"
import { modelSettings, windowLimits } from "./model-config.ts"
import { modelProblems } from "./model-problems.ts"

export interface AgentConfig {
  models: ModelSettings
  allow: string[]
  deny: string[]
  /** As people write it; parsed where it is used. */
  mcp: Json
  /** When a conversation is compacted. */
  limits: WindowLimits
  /** What commands in the sandbox may write to besides the workspace. */
  sandboxWrite: readonly string[]
  /** What was left out or does not do what it seems to, one sentence each. */
  notices: string[]
}

export function readAgentConfig(home: string, cwd: string): AgentConfig {
  const own = ownConfig(home)
  const workspace = readFolderConfig(cwd, own)
  const { used } = workspaceConfig(workspace.config ?? {}, workspace.trust)
  const notices: string[] = []
  const keys = workspace.trust === "unknown" ? withheldFrom(workspace) : []
  if (keys.length > 0) {
    const why = workspace.changed ? "has changed since you were asked, and is not used" : "is not used"
    notices.push(`${WORKSPACE_FILE} ${why} (${keys.join(", ")}). To use it: retcon config trust yes`)
  }
  notices.push(...unknownKeys(configFile(home), own), ...notUnderstood(workspace.config ?? {}))
  notices.push(...modelProblems(configFile(home), own).map(sanitiseLine))
  const models = modelSettings(own, used)
  if (hasKeys(models) && isOpenToOthers(configFile(home))) {
    const file = configFile(home)
    notices.push(`Others can read ${file}, so retcon does not use the keys in it. Fix this with: chmod 600 ${file}`)
  }
  const allow = [...strings(own.allow), ...strings(used.allow)]
  const deny = [...strings(own.deny), ...strings(used.deny)]
  notices.push(...[...allowProblems(allow), ...rootedProblems([...allow, ...deny], cwd)].map(sanitiseLine))
  return {
    models: isOpenToOthers(configFile(home)) ? withoutKeys(models) : models,
    allow,
    deny,
    mcp: { ...objectOf(used.mcp), ...objectOf(own.mcp) },
    limits: windowLimits(own),
    sandboxWrite: sandboxWrite(own).flatMap((each) => (each === "caches" ? CACHES : [each])),
    notices,
  }
}

/**
 * Keys of a folder's file that nothing reads. What it forbids must be understood before an agent starts:
 * `requireUsableConfig`.
 */
function notUnderstood(config: JsonObject): string[] {
  const unread = config.allow !== undefined && !isListOfTexts(config.allow)
  const list = `${WORKSPACE_FILE}: "allow" is not used: it must be a list of rules, such as ["Bash(npm test)"].`
  return [...unknownFolderKeys(WORKSPACE_FILE, config), ...(unread ? [list] : [])]
}

function hasKeys(models: ModelSettings): boolean {
  return Object.values(models.providers ?? {}).some(({ key }) => key !== undefined)
}

function withoutKeys(models: ModelSettings): ModelSettings {
  const providers = Object.entries(models.providers ?? {}).map(([name, settings]) => {
    const { key: _, ...rest } = settings
    return [name, rest] as const
  })
  return { ...models, providers: Object.fromEntries(providers) }
}

function isOpenToOthers(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && (found.mode & 0o077) !== 0
}

/** As the person wrote it; `caches` means those of package managers and compilers. */
export function sandboxWrite(own: JsonObject): readonly string[] {
  return isListOfTexts(own["sandbox.write"]) ? strings(own["sandbox.write"]) : ["caches"]
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : []
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
