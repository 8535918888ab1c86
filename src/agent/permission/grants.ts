// What a person may allow beyond one call: first exactly this, then wider, each described by what it allows.
import type { Grant } from "../../model/grant.ts"
import { canonicalJson, type Json } from "../../model/json.ts"
import { literalGlob } from "../files/glob.ts"
import { shown, type WorkRoot } from "../port/tool.ts"
import { isInnerFolder } from "./change-folder.ts"
import { simpleCommands } from "./shell-words.ts"
import { meaningOf, widerCommand } from "./wider-command.ts"

/** This line; its commands with other arguments, with what that means; every command. */
export function commandGrants(line: string, cwd: string): Grant[] {
  const exact: Grant = { id: "this", rules: [`Bash(=${line.trim()})`], words: "exactly this command", width: "exact" }
  return [exact, ...likeGrants(line, cwd), toolGrant(["Bash"], "every command, whatever it does")]
}

function likeGrants(line: string, cwd: string): Grant[] {
  const commands = (simpleCommands(line) ?? []).filter(({ words }) => !isInnerFolder(words, cwd))
  const wider = commands.flatMap(({ words }) => widerCommand(words) ?? [])
  if (wider.length === 0 || wider.length < commands.length) return []
  const rules = [...new Set(wider.map(({ rule }) => rule))]
  const each = rules.map((rule) => {
    const { name = "" } = wider.find((one) => one.rule === rule) ?? {}
    return `\`${name} …\`${inBrackets(meaningOf(name, rule.endsWith(" *)")))}`
  })
  return [{ id: "like", rules, words: `every ${each.join(" and ")}`, width: "wide" }]
}

function inBrackets(text: string | undefined): string {
  return text === undefined ? "" : ` (${text})`
}

/** Reading or writing these paths, with links resolved. */
export function pathGrants(tools: readonly string[], doing: string, paths: readonly string[], root: WorkRoot): Grant[] {
  if (paths.length === 0) return [toolGrant(tools)]
  const rules = tools.flatMap((tool) => paths.map((path) => `${tool}(${literalGlob(path)})`))
  const words = `${doing} ${paths.map((path) => shown(root, path)).join(", ")}`
  return [{ id: "this", rules, words, width: "exact" }]
}

/** Changing these files, and every file that is only text. */
export function editGrants(paths: readonly string[], root: WorkRoot): Grant[] {
  const tools = ["Write", "Edit"]
  return [...pathGrants(tools, "changes to", paths, root), toolGrant(tools, "all changes to files in this folder")]
}

/** For a call that is known only by its input. */
export function inputGrant(tool: string, input: Json): Grant {
  return {
    id: "this",
    rules: [`${tool}(=${canonicalJson(input)})`],
    words: "this tool with exactly this input",
    width: "exact",
  }
}

export function toolGrant(tools: readonly string[], words = `every call of ${tools.join(", ")}`): Grant {
  return { id: "tool", rules: [...tools], words, width: "wide" }
}
