// The keys that config.json and .retcon.json may have. An unknown one is reported, because it has no effect.
import { isObject, type JsonObject } from "../../model/json.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { nearestWord } from "../../model/text/typo.ts"
import { WINDOW_LIMITS } from "../../runner/window/threshold.ts"
import { SETTING_KEYS } from "./settings.ts"
import { WORKSPACE_KEYS } from "./workspace-settings.ts"

const MODELS = ["model", "models", "providers", "thinking", "compaction"]
const KNOWN: readonly string[] = [
  ...SETTING_KEYS,
  ...MODELS,
  "allow",
  "deny",
  "mcp",
  "trust",
  "workspace",
  "sandbox.write",
  "keys",
]
/** Objects whose own keys are a closed list too. Those of `keys` are checked where keys are read. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  workspace: WORKSPACE_KEYS,
  compaction: [...Object.keys(WINDOW_LIMITS), "keepRounds"],
}

/** A sentence for each key of config.json that is not read. `file` names it. */
export function unknownKeys(file: string, config: JsonObject): string[] {
  const inside = Object.entries(INSIDE).flatMap(([outer, known]) => {
    const value = config[outer]
    return isObject(value) ? unknown(value, known).map((key) => unread(file, key, known, `${outer}.`)) : []
  })
  return [...unknown(config, KNOWN).map((key) => misplaced(file, key) ?? unread(file, key, KNOWN)), ...inside]
}

/** What a folder may configure. */
export const FROM_A_FOLDER: readonly string[] = ["mcp", "allow", "deny", "model"]

/** The same for .retcon.json, whether it is trusted or not. */
export function unknownFolderKeys(file: string, config: JsonObject): string[] {
  const may = ` It may have ${FROM_A_FOLDER.join(", ")}.`
  return unknown(config, FROM_A_FOLDER).map((key) => unread(file, key, FROM_A_FOLDER) + may)
}

function unknown(object: JsonObject, known: readonly string[]): string[] {
  return Object.keys(object).filter((key) => !known.includes(key))
}

function unread(file: string, key: string, known: readonly string[], outer = ""): string {
  const near = nearestWord(key, known)
  const meant = near === undefined ? "" : ` Did you mean "${outer}${near}"?`
  return `${file}: "${sanitiseLine(outer + key)}" is not a known setting.${meant}`
}

/** `"workspace.maxFiles"`, as `retcon config` calls it, is a key inside another. */
function misplaced(file: string, key: string): string | undefined {
  const [outer = "", inner = "", ...more] = key.split(".")
  if (more.length > 0 || !Object.hasOwn(INSIDE, outer) || INSIDE[outer]?.includes(inner) !== true) return undefined
  return `${file}: "${key}" is not read. Write it as "${outer}": {"${inner}": …}.`
}
