// Who put a message into a Kimi Code session. Its user messages say so in `origin`; without one, a person typed it.
import type { JsonObject } from "../../model/json.ts"
import { type Origin, parseOrigin } from "../../model/record/origin.ts"
import { objectField, textField } from "../shared/json-line.ts"
import type { MessageAuthor } from "../shared/message-author.ts"

/** `why` says more than the origin: see `record.ts`. */
export type KimiAuthor = Omit<MessageAuthor, "why">

const BY_KIND: Readonly<Record<string, Origin>> = {
  injection: "injection",
  shell_command: "shell",
  compaction_summary: "summary",
  task: "notification",
  cron_job: "notification",
  cron_missed: "notification",
  hook_result: "hook",
  retry: "retry",
  skill_activation: "skill",
  plugin_command: "injection",
}

/** Undefined for a message of a role that no version has. */
export function saidOn(line: JsonObject): KimiAuthor | undefined {
  const said = authorOf(objectField(line, "message") ?? {})
  const ours = said?.role === "user" ? objectField(line, "retcon") : undefined
  const origin = parseOrigin(ours?.origin)
  // We wrote this session, and marked what the program's format cannot express.
  return origin === undefined ? said : { role: "user", origin, ...(ours?.turn === true && { turn: true }) }
}

/** By the fields of a message. */
export function authorOf(message: JsonObject): KimiAuthor | undefined {
  switch (textField(message, "role") ?? "") {
    case "user":
      return { role: "user", ...userOrigin(objectField(message, "origin")) }
    case "assistant":
      return { role: "assistant", origin: "agent" }
    case "tool":
      return { role: "tool", origin: "tool" }
    case "system":
      return { role: "system", origin: "injection" }
    default:
      return undefined
  }
}

/** A prompt is what the program's own `/undo` counts as one. */
function userOrigin(origin: JsonObject | undefined): { origin: Origin; turn?: true } {
  const kind = textField(origin, "kind")
  if (origin === undefined || kind === "user") return { origin: origin?.inTurn === true ? "steer" : "prompt" }
  if ((kind === "skill_activation" || kind === "plugin_command") && origin.trigger === "user-slash") {
    return origin.inTurn === true ? { origin: "steer" } : { origin: "command", turn: true }
  }
  if (kind === "system_trigger") return { origin: triggered(textField(origin, "name")) }
  return { origin: (kind === undefined ? undefined : BY_KIND[kind]) ?? "unknown" }
}

function triggered(name: string | undefined): Origin {
  if (name === "subagent") return "task"
  return name === "stop_hook" ? "hook" : "injection"
}

/** What the person typed, if the message has more or something else. */
export function typedText(line: JsonObject, texts: readonly string[]): string | undefined {
  return textField(objectField(line, "retcon"), "display") ?? commandIn(objectField(line, "message") ?? {}, texts)
}

function commandIn(message: JsonObject, texts: readonly string[]): string | undefined {
  const origin = objectField(message, "origin")
  const kind = textField(origin, "kind")
  if (origin === undefined) return undefined
  if (kind === "user" && Array.isArray(origin.skillActivations) && origin.skillActivations.length > 0) {
    return texts.slice(origin.skillActivations.length).join("")
  }
  if (origin.trigger !== "user-slash") return undefined
  if (kind === "skill_activation") return command(textField(origin, "skillName"), textField(origin, "skillArgs"))
  if (kind !== "plugin_command") return undefined
  const [plugin, name] = [textField(origin, "pluginId"), textField(origin, "commandName")]
  return command(`${plugin ?? ""}:${name ?? ""}`, textField(origin, "commandArgs"))
}

function command(name: string | undefined, args: string | undefined): string {
  return args === undefined || args === "" ? `/${name ?? ""}` : `/${name ?? ""} ${args}`
}

export const ANSWER = { role: "assistant", origin: "agent" } as const
export const RESULT = { role: "tool", origin: "tool" } as const
