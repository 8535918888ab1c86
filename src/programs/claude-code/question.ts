// Claude Code's question whether it may make a call, with everything that it says about the call, and the answer to it.
import { readFileSync, statSync } from "node:fs"
import { basename } from "node:path"
import type { ApprovalAction } from "../../model/approval.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { unifiedDiff } from "../../model/text/unified-diff.ts"
import type { ProgramAnswer, ProgramOption, ProgramQuestion } from "../port.ts"
import { textOf } from "./stream.ts"

export function questionOf(request: JsonObject, cwd: string): ProgramQuestion {
  const input = isObject(request.input) ? request.input : {}
  const tool = textOf(request.tool_name)
  const options = suggestionsOf(request).map((suggestion, i) => optionOf(suggestion, i, cwd))
  const because = textOf(request.decision_reason)
  return {
    call: textOf(request.tool_use_id),
    tool,
    title: textOf(request.title) || textOf(request.description) || titleOf(input),
    action: actionOf(tool, input, cwd),
    warnings: because === "" ? [] : [`Claude Code asks because: ${because}`],
    options: [{ id: "once", words: "Yes", means: "once" }, ...options, { id: "no", words: "No", means: "no" }],
  }
}

/** What Claude Code is told. Contract: the input is the one that was shown. */
export function responseOf(request: JsonObject, answer: ProgramAnswer): Json {
  if ("refused" in answer) return { behavior: "deny", message: answer.refused }
  if (answer.option === "no") return { behavior: "deny", message: "The person refused this call." }
  const chosen = suggestionsOf(request).filter((_, i) => answer.option === `always-${i}`)
  const more = chosen.length === 0 ? {} : { updatedPermissions: chosen }
  return { behavior: "allow", updatedInput: request.input ?? {}, ...more }
}

function suggestionsOf({ permission_suggestions: suggestions }: JsonObject): JsonObject[] {
  return Array.isArray(suggestions) ? suggestions.filter(isObject) : []
}

function optionOf(suggestion: JsonObject, i: number, cwd: string): ProgramOption {
  return { id: `always-${i}`, words: `${whatOf(suggestion, cwd)}, ${lastsOf(suggestion)}`, means: "always" }
}

function whatOf(suggestion: JsonObject, cwd: string): string {
  if (suggestion.type === "setMode") {
    const mode = textOf(suggestion.mode)
    return mode === "acceptEdits" ? "every edit in its folders (mode acceptEdits)" : `mode ${mode}`
  }
  if (suggestion.type === "addDirectories" && Array.isArray(suggestion.directories))
    return `work in ${suggestion.directories.map((folder) => (folder === cwd ? "this folder" : textOf(folder))).join(", ")}`
  const rules = Array.isArray(suggestion.rules) ? suggestion.rules.filter(isObject) : []
  if (suggestion.type !== "addRules" || rules.length === 0) return JSON.stringify(suggestion)
  const texts = rules.map(({ toolName, ruleContent }) =>
    typeof ruleContent === "string" ? `${textOf(toolName)}(${ruleContent})` : `every ${textOf(toolName)}`,
  )
  return texts.join(", ")
}

/** Where it remembers that. */
function lastsOf({ destination }: JsonObject): string {
  if (destination === "session") return "for this session"
  if (destination === "localSettings") return "for this project from now on"
  if (destination === "projectSettings") return "for everyone in this project from now on"
  return destination === "userSettings" ? "everywhere from now on" : `in ${textOf(destination) || "its settings"}`
}

const LARGEST = 1_000_000

function actionOf(tool: string, input: JsonObject, cwd: string): ApprovalAction {
  const other: ApprovalAction = { kind: "other", input }
  const path = textOf(input.file_path)
  if (tool === "Bash" && typeof input.command === "string") {
    const background = input.run_in_background === true
    const outside = input.dangerouslyDisableSandbox === true ? { outsideSandbox: true as const } : {}
    return { kind: "command", command: input.command, cwd, background, ...outside }
  }
  if (path === "") return other
  if (tool === "Read") return { kind: "read", path }
  const before = contentOf(path)
  const after = before && textAfter(tool, input, before.text)
  return after === undefined ? other : { kind: "write", path, diff: unifiedDiff(basename(path), before?.text, after) }
}

/** Undefined if that cannot be told from here: then the input is shown as it is. */
function textAfter(tool: string, input: JsonObject, before = ""): string | undefined {
  if (tool === "Write") return typeof input.content === "string" ? input.content : undefined
  const edits = tool === "Edit" ? [input] : tool === "MultiEdit" && Array.isArray(input.edits) ? input.edits : []
  let text = before
  for (const edit of edits) {
    if (!isObject(edit) || typeof edit.old_string !== "string" || typeof edit.new_string !== "string") return undefined
    if (!text.includes(edit.old_string)) return undefined
    const { old_string: old, new_string: fresh } = edit
    text = edit.replace_all === true && old !== "" ? text.replaceAll(old, () => fresh) : text.replace(old, () => fresh)
  }
  return edits.length === 0 ? undefined : text
}

/** `text`: undefined if there is no such file. */
function contentOf(path: string): { text: string | undefined } | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return { text: undefined }
    return stat.isFile() && stat.size <= LARGEST ? { text: readFileSync(path, "utf8") } : undefined
  } catch {
    return undefined
  }
}

function titleOf(input: JsonObject): string {
  return textOf(input.command) || textOf(input.file_path) || textOf(input.url) || textOf(input.query)
}
