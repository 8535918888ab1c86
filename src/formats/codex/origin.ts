// Who put an item into Codex's history, and why. Its fields say so; in older files, only the beginning of the text.
import type { JsonObject } from "../../model/json.ts"
import type { Origin, Role } from "../../model/record/origin.ts"
import { listField, objectField, textField } from "../shared/json-line.ts"

/** What the lines before an item say about its turn. */
export interface CodexTurn {
  /** A line marked its beginning. Older versions have no such line. */
  started: boolean
  /** Another agent started it, not a person. */
  task: boolean
  /** It already has a prompt. */
  asked: boolean
}

interface CodexAuthor {
  role: Role
  origin: Origin
}

/** A prompt, from a person or a parent agent. */
const ASKED = "asked"

type Source = Origin | typeof ASKED

/** By `content_item_kinds`, which name the source of a text. */
const KINDS: readonly [RegExp, Source][] = [
  [/^user\./, ASKED],
  [/^shell\.user_command$/, "shell"],
  [/turn_aborted$/, "interrupt"],
  [/hook/, "hook"],
  [/subagent_notification|^multi_agent\.(?:wait|notification|mailbox)/, "notification"],
  [/^skills?\./, "skill"],
]

const BEGINNINGS: readonly [RegExp, Source][] = [
  [/^<turn_aborted>/, "interrupt"],
  [/^<user_shell_command>/, "shell"],
  [/^<skill>/, "skill"],
  [/^<subagent_notification>/, "notification"],
  [/^<(?:hook_context|hook_prompt)\b/, "hook"],
  [
    /^(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|INSTRUCTIONS|permissions instructions)>)/,
    "injection",
  ],
  [
    /^<(?:model_switch|collaboration_mode|personality_spec|user_action|apps_instructions|skills_instructions)\b/,
    "injection",
  ],
  [/^Another language model started to solve this problem/, "summary"],
]

/** Undefined for an item that is neither a message nor a part of an answer nor a result. */
export function originOf(item: JsonObject, turn: CodexTurn): CodexAuthor | undefined {
  const type = textField(item, "type") ?? ""
  if (type === "message") return ofMessage(item, turn)
  if (type === "reasoning" || type.endsWith("_call")) return { role: "assistant", origin: "agent" }
  if (type.endsWith("_output")) return { role: "tool", origin: "tool" }
  // A message between agents.
  return type === "agent_message" ? { role: "user", origin: "notification" } : undefined
}

function ofMessage(item: JsonObject, turn: CodexTurn): CodexAuthor {
  if (item.role === "assistant") return { role: "assistant", origin: "agent" }
  if (item.role !== "user") return { role: "user", origin: "injection" }
  const source = sourceOf(item)
  if (source !== ASKED) return { role: "user", origin: source }
  if (turn.task) return { role: "user", origin: turn.asked ? "injection" : "task" }
  return { role: "user", origin: turn.started && turn.asked ? "steer" : "prompt" }
}

/** Whether the item is a prompt. */
export function isAsked(item: JsonObject): boolean {
  return item.type === "message" && item.role === "user" && sourceOf(item) === ASKED
}

function sourceOf(item: JsonObject): Source {
  const kinds = kindsOf(item)
  if (kinds.length === 0) return byBeginning(item)
  for (const [pattern, source] of KINDS) if (kinds.some((kind) => pattern.test(kind))) return source
  return provenancesOf(item).includes("user") ? ASKED : "injection"
}

function byBeginning(item: JsonObject): Source {
  const text = textField(listField(item, "content")[0], "text") ?? ""
  const first = text.slice(0, 200).trimStart()
  for (const [pattern, source] of BEGINNINGS) if (pattern.test(first)) return source
  return ASKED
}

/** One for each part of its content. */
export function kindsOf(item: JsonObject): string[] {
  return listField(passedThrough(item), "content_item_kinds").map((kind) => (typeof kind === "string" ? kind : ""))
}

function provenancesOf(item: JsonObject): (string | undefined)[] {
  return listField(passedThrough(item), "content_item_metadata").map((each) =>
    textField(objectField(each, "provenance"), "type"),
  )
}

function passedThrough(item: JsonObject): JsonObject | undefined {
  return objectField(item, "internal_chat_message_metadata_passthrough")
}

/** What decided the origin, in a few words. */
export function whyOf(item: JsonObject): string {
  const type = textField(item, "type") ?? ""
  const role = textField(item, "role")
  if (type !== "message" || role !== "user") return role === undefined ? `type is "${type}"` : `role is "${role}"`
  const kinds = kindsOf(item)
  return kinds.length > 0
    ? `content_item_kinds is "${kinds.join(", ")}"`
    : "how its text begins: no field says who wrote it"
}
