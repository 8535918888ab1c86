// Codex's hooks: hooks.json in its home or in a project's .codex. Codex asks the person to review them once.
import { statSync } from "node:fs"
import { join } from "node:path"
import { codexHome, rolloutsAround } from "../formats/codex/rollouts.ts"
import { eachLine, millis, objectField, textField } from "../formats/shared/json-line.ts"
import { readHead } from "../formats/shared/read-head.ts"
import type { JsonObject } from "../model/json.ts"
import type { HookNames } from "../model/record/record.ts"
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
  endedAt,
  settings: jsonSettings(
    "codex",
    (homes, cwd) => join(cwd === undefined ? codexHome(homes) : join(cwd, ".codex"), "hooks.json"),
    { events: EVENTS, comments: false, more: { timeout: TIMEOUT_S } },
  ),
  note: "Codex asks you to trust new hooks when it starts: see them there with /hooks.",
}

/** The end of a file is long enough for the last turn's. */
const TAIL = 256 * 1024

/** Codex ends the turns of sub-agents when it ends itself, and says so in their files; its hooks hear nothing of it. */
function endedAt(transcript: string, { agent, prompt, call }: HookNames): number | undefined {
  const file = agent === undefined ? transcript : rolloutsAround(transcript).get(agent)?.at(-1)?.path
  const size = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.size
  if (file === undefined || size === undefined) return undefined
  for (const line of eachLine(readHead(file, TAIL, Math.max(0, size - TAIL)), ENDS)) {
    const payload = objectField(line, "payload")
    const type = textField(payload, "type") ?? ""
    const isTurn = TURN_ENDS.has(type) && textField(payload, "turn_id") === prompt
    if (isTurn || (type.endsWith("_output") && textField(payload, "call_id") === call)) return millis(line.timestamp)
  }
  return undefined
}

const TURN_ENDS: ReadonlySet<string> = new Set(["turn_aborted", "task_complete"])
const ENDS = [...TURN_ENDS, '_output"']

const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm

/** The files that a patch names; undefined for all other tools. */
function paths(tool: string, input: JsonObject): string[] | undefined {
  if (tool !== "apply_patch") return undefined
  const patch = textField(input, "command") ?? textField(input, "input") ?? ""
  const named = [...patch.matchAll(PATCHED)].map((found) => found[1] ?? "")
  return named.length === 0 ? undefined : named
}
