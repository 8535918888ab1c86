// Which items Codex counts when it rolls back. It goes by the text alone: neither by the fields that say who wrote an item, nor by
// the turn. So a prompt that was typed while the agent worked counts like any other.
import { isObject, type JsonObject, parseJson } from "../../model/json.ts"
import { listField, textField } from "../shared/json-line.ts"

/**
 * `counts`: a rollback of one goes to before it. `leads`: the program's own words, which go with the counted item that they
 * come right before. `stays`: anything else.
 */
export type Counting = "counts" | "leads" | "stays"

export function countingOf(item: JsonObject): Counting {
  if (item.type === "agent_message") return "counts"
  if (item.type !== "message") return "stays"
  const texts = listField(item, "content").map((part) => textField(part, "text") ?? "")
  if (item.role === "user") return texts.some(isContext) ? "leads" : "counts"
  if (item.role === "developer") return texts.some((text) => FOR_DEVELOPER.test(text)) ? "leads" : "stays"
  return item.role === "assistant" && texts.length === 1 && isBetweenAgents(texts[0] as string) ? "counts" : "stays"
}

/** What a rollback leaves. What leads to the very first counted item stays. */
export function withoutLast(items: readonly JsonObject[], count: number): JsonObject[] {
  const counted = items.flatMap((item, at) => (countingOf(item) === "counts" ? [at] : []))
  const first = counted[0]
  if (first === undefined || count <= 0) return [...items]
  let end = counted.at(-count) ?? first
  while (end > first && countingOf(items[end - 1] as JsonObject) === "leads") end--
  return items.slice(0, end)
}

/** The whole text is one such element. */
const CONTEXT =
  /^\s*<(environment_context|user_shell_command|turn_aborted|subagent_notification|skill|goal_context|recommended_plugins|external_\w+)>[\s\S]*<\/\1>\s*$/i
const WITH_FIELDS =
  /^\s*<(?:hook_prompt hook_run_id=[\s\S]*<\/hook_prompt>|codex_internal_context [\s\S]*<\/codex_internal_context>)\s*$/
const INSTRUCTIONS = /^\s*# AGENTS\.md instructions[\s\S]*<\/INSTRUCTIONS>\s*$/i
const WARNINGS =
  /^\s*Warning: (?:apply_patch was requested via|The maximum number of unified exec processes|Your account was flagged)/

function isContext(text: string): boolean {
  return [CONTEXT, WITH_FIELDS, INSTRUCTIONS, WARNINGS].some((pattern) => pattern.test(text))
}

const FOR_DEVELOPER =
  /^\s*<(?:permissions instructions|model_switch|collaboration_mode|multi_agent_mode|realtime_conversation|apps_instructions|plugins_instructions|skills_instructions|personality_spec|token_budget|token_budget_reminder|context_window|context_window_guidance|rollout_budget)>/i

/** Older versions wrote what one agent told another as if the model had said it. */
function isBetweenAgents(text: string): boolean {
  const said = text.startsWith("{") && text.includes('"recipient"') ? parseJson(text) : undefined
  if (said?.ok !== true || !isObject(said.value)) return false
  return ["author", "recipient", "content"].every((field) => typeof (said.value as JsonObject)[field] === "string")
}
