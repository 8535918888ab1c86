// Codex's hooks: hooks.json in its home or in a project's .codex. Codex asks the person to review them once.
import { join } from "node:path"
import { codexHome } from "../formats/codex/rollouts.ts"
import { textField } from "../formats/shared/json-line.ts"
import type { JsonObject } from "../model/json.ts"
import type { AgentHooks } from "./port.ts"
import { firstFolder, type InputStyle, ROUND_MOMENTS, readInput } from "./read-input.ts"
import { jsonSettings } from "./settings-text.ts"

const INPUT: InputStyle = {
  moments: { ...ROUND_MOMENTS, PreCompact: "keep" },
  prompt: "turn_id",
  paths,
}

/** No matcher, so that the hook runs for every tool: their names change often. */
const EVENTS = [
  { event: "UserPromptSubmit" },
  { event: "PreToolUse" },
  { event: "PostToolUse" },
  { event: "Stop" },
  { event: "PreCompact" },
]

const TIMEOUT_S = 30

export const codexHooks: AgentHooks = {
  agent: "codex",
  read: (input) => readInput(input, INPUT),
  startedIn: firstFolder,
  resultMark: (call) => `"call_id":${JSON.stringify(call)},"output"`,
  settings: jsonSettings(
    "codex",
    (homes, cwd) => join(cwd === undefined ? codexHome(homes) : join(cwd, ".codex"), "hooks.json"),
    { events: EVENTS, comments: false, more: { timeout: TIMEOUT_S } },
  ),
  note: "Codex asks you to trust new hooks when it starts: see them there with /hooks.",
}

const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm

/** The files that a patch names; undefined for all other tools. */
function paths(tool: string, input: JsonObject): string[] | undefined {
  if (tool !== "apply_patch") return undefined
  const patch = textField(input, "command") ?? textField(input, "input") ?? ""
  const named = [...patch.matchAll(PATCHED)].map((found) => found[1] ?? "")
  return named.length === 0 ? undefined : named
}
