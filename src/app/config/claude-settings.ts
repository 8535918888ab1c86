// `permissions` in the settings of Claude Code, the person's and the project's. What forbids or asks applies here at once, because it
// only narrows. What allows never comes from a project.
import { readFileSync, realpathSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { literalGlob } from "../../agent/files/glob.ts"
import { fromClaude } from "../../agent/permission/claude-rules.ts"
import { repositoryRoot } from "../../agent/prompt/instructions.ts"
import { errno } from "../../model/failure/retcon-error.ts"
import { isObject, type Json, parseJson } from "../../model/json.ts"
import { isWithin } from "../../model/within.ts"
import type { ReadingRow } from "../../protocol/shapes.ts"

export interface ClaudeRules {
  deny: string[]
  ask: string[]
  rows: ReadingRow[]
  /** What would forbid or ask there and does not here, in words. */
  lost: string[]
}

const NAMES = ["settings.json", "settings.local.json"]
const LARGEST = 1_000_000

/** The files that are read, whether they exist or not. */
export function claudeSettingsFiles(cwd: string, personHome: string | undefined): { path: string; base: string }[] {
  const folders = new Set([...(personHome === undefined ? [] : [personHome]), repositoryRoot(cwd), cwd])
  return [...folders].flatMap((base) => NAMES.map((name) => ({ path: join(base, ".claude", name), base })))
}

/** Contract: never throws; a row says what was used, and what not and why. */
export function readClaudeRules(cwd: string, personHome: string | undefined): ClaudeRules {
  const found: ClaudeRules = { deny: [], ask: [], rows: [], lost: [] }
  for (const { path, base } of claudeSettingsFiles(cwd, personHome)) {
    const text = textOf(path, base === personHome ? undefined : base)
    if (text === undefined) continue
    const json = typeof text === "string" ? parseJson(text) : undefined
    if (json?.ok !== true || !isObject(json.value)) {
      const why = typeof text === "object" ? text.problem : "it is not a JSON object, so none of its rules apply"
      found.rows.push({ kind: "rules", path, used: false, because: why })
      found.lost.push(`${path}: ${why}`)
      continue
    }
    const { permissions, hooks } = json.value
    const lists = isObject(permissions) ? permissions : {}
    // Rules of the person start at the project, as there.
    const from = base === personHome ? "" : literalGlob(relative(cwd, base))
    const used = add(found, path, from, "deny", lists.deny) + add(found, path, from, "ask", lists.ask)
    if (used > 0) found.rows.push({ kind: "rules", path, used: true, because: `${used} of its rules forbid or ask` })
    if (lists.allow !== undefined && lists.allow !== null && !(Array.isArray(lists.allow) && lists.allow.length === 0))
      found.rows.push({ kind: "rules", path, used: false, because: "what it allows is not taken over: use /allow" })
    if (isObject(hooks) && Object.keys(hooks).length > 0)
      found.rows.push({ kind: "rules", path, used: false, because: "its hooks run in Claude Code only" })
  }
  return found
}

/** Returns how many are used. */
function add(found: ClaudeRules, path: string, base: string, kind: "deny" | "ask", list: Json | undefined): number {
  let used = 0
  for (const text of Array.isArray(list) ? list : []) {
    const made = typeof text === "string" ? fromClaude(text, base) : { problem: "it is not a text" }
    const name = `${kind} ${typeof text === "string" ? text : JSON.stringify(text)}`
    if ("problem" in made) {
      found.rows.push({ kind: "rules", path, used: false, because: `${name}: ${made.problem}` })
      if (!made.problem.startsWith("retcon has no tool")) found.lost.push(`${name} in ${path}: ${made.problem}`)
    } else {
      used++
      found[kind].push(made.rule)
      if (made.partly !== undefined)
        found.rows.push({ kind: "rules", path, used: true, because: `${name}: ${made.partly}` })
    }
  }
  return used
}

/** `within`: the folder that the file must not lead out of. Undefined if there is none. */
function textOf(path: string, within: string | undefined): string | { problem: string } | undefined {
  try {
    const stat = statSync(path)
    if (within !== undefined && !isWithin(realpathSync(within), realpathSync(path)))
      return { problem: "it is outside the project" }
    if (!stat.isFile() || stat.size > LARGEST) return { problem: "it is not a small file, so none of its rules apply" }
    return readFileSync(path, "utf8")
  } catch (error) {
    const code = errno(error)
    if (code === undefined) throw error
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : { problem: `it cannot be read (${code})` }
  }
}
