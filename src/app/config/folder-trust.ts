// Whether the person trusts what a directory configures. Their answer applies to exactly what they saw: if the file
// changes, they are asked again.
import { createHash } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { type Trust, workspaceConfig } from "../../agent/prompt/trust.ts"
import { isObject, type JsonObject, parseJson } from "../../model/json.ts"
import { changeConfig, readConfig } from "./config-file.ts"
import { configFile } from "./home.ts"
import { FROM_A_FOLDER } from "./known-keys.ts"

export const WORKSPACE_FILE = ".retcon.json"

export interface FolderConfig {
  /** The content of its file; undefined if there is none that can be read. */
  config: JsonObject | undefined
  trust: Trust
  /** Why the file cannot be used, in words; absent if it can, or there is none. */
  problem?: string
  /** Whether the file has changed since the person answered. */
  changed: boolean
  hash: string
}

/** `own`: the person's own config.json. */
export function readFolderConfig(cwd: string, own: JsonObject): FolderConfig {
  const { text, problem: unread } = readText(join(cwd, WORKSPACE_FILE))
  const json = text === undefined ? undefined : parseJson(text)
  const config = json?.ok === true && isObject(json.value) ? json.value : undefined
  const wrong = json?.ok === false ? `it is not JSON (${json.problem})` : "it is not an object"
  const problem = unread ?? (text !== undefined && config === undefined ? wrong : undefined)
  const hash = createHash("sha256")
    .update(text ?? "")
    .digest("hex")
  const known = isObject(own.trust) ? own.trust[cwd] : undefined
  const said = { config, hash, ...(problem === undefined ? {} : { problem }) }
  if (!isObject(known)) return { ...said, trust: "unknown", changed: false }
  if (known.config !== hash) return { ...said, trust: "unknown", changed: true }
  return { ...said, trust: known.answer === "yes" ? "trusted" : "untrusted", changed: false }
}

/** What its file asks for and does not get until it is trusted. */
export function withheldFrom({ config, trust }: FolderConfig): string[] {
  if (config === undefined) return []
  const { withheld } = workspaceConfig(config, trust)
  const asked = withheld.filter(({ key, because }) => because === "not-trusted" && FROM_A_FOLDER.includes(key))
  return asked.map(({ key }) => key)
}

/** Whether the person trusts a folder's skills and command files, as they are now. */
export function promptFilesTrust(cwd: string, own: JsonObject, hash: string): Trust {
  const folder = isObject(own.trust) ? own.trust[cwd] : undefined
  const known = isObject(folder) ? folder.files : undefined
  if (!isObject(known) || known.hash !== hash) return "unknown"
  return known.answer === "yes" ? "trusted" : "untrusted"
}

/** What was shown to the person, by its hash. */
export interface Shown {
  config?: string
  files?: string
}

/** What was not shown keeps its answer. Undefined forgets the answer to all of it. */
export function answerTrust(home: string, cwd: string, shown: Shown, answer: "yes" | "no" | undefined): void {
  changeConfig(home, (raw) => {
    const { [cwd]: before, ...others } = isObject(raw.trust) ? raw.trust : {}
    const folder = {
      ...(isObject(before) ? before : {}),
      ...(shown.config !== undefined && { config: shown.config, answer: answer ?? "no" }),
      ...(shown.files !== undefined && { files: { hash: shown.files, answer: answer ?? "no" } }),
    }
    return { ...raw, trust: answer === undefined ? others : { ...others, [cwd]: folder } }
  })
}

/** The content of the person's own config.json: empty if it cannot be read. */
export function ownConfig(home: string): JsonObject {
  const json = parseJson(readConfig(configFile(home)) ?? "{}")
  return json.ok && isObject(json.value) ? json.value : {}
}

/** Contract: never fails; says why it cannot be read. */
function readText(file: string): { text?: string; problem?: string } {
  try {
    // Not from a pipe, which would block. Reading a folder fails with an error.
    const stat = statSync(file)
    if (!stat.isFile() && !stat.isDirectory()) return { problem: "it is not a regular file" }
    return { text: readFileSync(file, "utf8") }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error
    return error.code === "ENOENT" ? {} : { problem: `it cannot be read (${String(error.code)})` }
  }
}
