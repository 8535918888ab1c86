// Claude Code's hooks: `hooks` in settings.json. None for SessionStart: it would put an attachment above the first prompt, and
// there is nothing to do before that.
import { statSync } from "node:fs"
import { join } from "node:path"
import { configFolder } from "../formats/claude-code/place.ts"
import { eachLine, millis, textField } from "../formats/shared/json-line.ts"
import { readHead } from "../formats/shared/read-head.ts"
import { isObject, type JsonObject, parseJson } from "../model/json.ts"
import type { HookNames } from "../model/record/record.ts"
import type { AgentHooks } from "./port.ts"
import { firstFolder, type InputStyle, ROUND_MOMENTS, readInput } from "./read-input.ts"
import { jsonSettings } from "./settings-text.ts"

/** Tools that can write, and those that start agents that can. */
const WRITING = "^(Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|Task|Agent|Skill|mcp__.*)$"

const INPUT: InputStyle = {
  moments: {
    ...ROUND_MOMENTS,
    PostToolUseFailure: "call-ends",
    SubagentStop: "round-ends",
    PreCompact: "keep",
    SessionEnd: "keep",
  },
  prompt: "prompt_id",
  paths,
}

/** Without PostToolUseFailure: an older Claude Code might reject settings with an event that it does not know. */
const EVENTS = [
  { event: "UserPromptSubmit" },
  { event: "PreToolUse", matcher: WRITING },
  { event: "PostToolUse", matcher: WRITING },
  { event: "Stop" },
  { event: "SubagentStop" },
  { event: "PreCompact" },
  { event: "SessionEnd" },
]

/** The hook itself gives up sooner. */
const TIMEOUT_S = 30

export const claudeHooks: AgentHooks = {
  agent: "claude-code",
  read: (input) => readInput(input, INPUT),
  startedIn: firstFolder,
  resultMark,
  endedAt,
  settings: jsonSettings(
    "claude-code",
    (homes, cwd) => join(cwd === undefined ? configFolder(homes) : join(cwd, ".claude"), "settings.json"),
    { events: EVENTS, comments: false, more: { timeout: TIMEOUT_S } },
  ),
  off: {
    files: (homes, cwd) => [
      join(configFolder(homes), "settings.json"),
      ...["settings.json", "settings.local.json"].map((name) => join(cwd, ".claude", name)),
    ],
    keyIn(text) {
      const json = parseJson(text)
      return json.ok && isObject(json.value) && json.value.disableAllHooks === true ? "disableAllHooks" : undefined
    },
  },
  note: "Claude Code sessions that are already running use them after a restart.",
}

function resultMark(call: string): string {
  return `"tool_use_id":${JSON.stringify(call)}`
}

/** The end of a file is long enough for the last round's results. */
const TAIL = 256 * 1024

/** After Esc it writes the call's result, and runs neither PostToolUse nor Stop. A sub-agent's results are not in this file. */
function endedAt(transcript: string, { agent, call }: HookNames): number | undefined {
  const size = statSync(transcript, { throwIfNoEntry: false })?.size
  if (size === undefined || call === undefined || agent !== undefined) return undefined
  const tail = readHead(transcript, TAIL, Math.max(0, size - TAIL))
  for (const line of eachLine(tail, [resultMark(call)])) return millis(line.timestamp)
  return undefined
}

const EDITS: ReadonlySet<string> = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"])

function paths(tool: string, input: JsonObject): string[] | undefined {
  const path = textField(input, "file_path") ?? textField(input, "notebook_path")
  return path === undefined || !EDITS.has(tool) ? undefined : [path]
}
