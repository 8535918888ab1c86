// Hooks of Claude Code: settings.json, `hooks`. No hook is installed for SessionStart: it would put an attachment above the first
// prompt, and there is nothing to do before that.
import { join } from "node:path"
import { configFolder } from "../formats/claude-code/place.ts"
import { linesIn, objectField, textField } from "../formats/shared/json-line.ts"
import type { JsonObject } from "../model/json.ts"
import type { AgentHooks, HookEvent, HookMoment } from "./port.ts"
import { jsonSettings } from "./settings-text.ts"

/** Tools that can write, and those that start agents that can. */
const WRITING = "^(Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|Task|Agent|Skill|mcp__.*)$"

const MOMENTS: Readonly<Record<string, HookMoment>> = {
  UserPromptSubmit: "round-begins",
  PreToolUse: "call-begins",
  PostToolUse: "call-ends",
  PostToolUseFailure: "call-ends",
  Stop: "round-ends",
  SubagentStop: "round-ends",
  PreCompact: "keep",
  SessionEnd: "keep",
}

const EVENTS = [
  { event: "UserPromptSubmit" },
  { event: "PreToolUse", matcher: WRITING },
  { event: "PostToolUse", matcher: WRITING },
  { event: "Stop" },
  { event: "SubagentStop" },
  { event: "PreCompact" },
  { event: "SessionEnd" },
]

/** The hook gives up before that. */
const TIMEOUT_S = 30

export const claudeHooks: AgentHooks = {
  agent: "claude-code",
  read,
  startedIn: (head) => linesIn(head).flatMap((line) => textField(line, "cwd") ?? [])[0],
  resultMark: (call) => `"tool_use_id":${JSON.stringify(call)}`,
  settings: jsonSettings(
    "claude-code",
    (homes, cwd) => join(cwd === undefined ? configFolder(homes) : join(cwd, ".claude"), "settings.json"),
    { events: EVENTS, comments: false, more: { timeout: TIMEOUT_S } },
  ),
  note: "Sessions of Claude Code that are already running use it after a restart.",
}

function read(input: JsonObject): HookEvent | undefined {
  const moment = MOMENTS[textField(input, "hook_event_name") ?? ""]
  const [session, cwd] = [textField(input, "session_id"), textField(input, "cwd")]
  if (moment === undefined || session === undefined || cwd === undefined) return undefined
  const [prompt, call, agent] = [
    textField(input, "prompt_id"),
    textField(input, "tool_use_id"),
    textField(input, "agent_id"),
  ]
  const paths = moment.startsWith("call") ? pathsIn(input) : undefined
  return {
    moment,
    session,
    cwd,
    transcript: textField(input, "transcript_path"),
    ...(prompt !== undefined && { prompt }),
    ...(call !== undefined && { call }),
    ...(agent !== undefined && { agent }),
    ...(paths !== undefined && { paths }),
  }
}

const EDITS: ReadonlySet<string> = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"])

function pathsIn(input: JsonObject): string[] | undefined {
  if (!EDITS.has(textField(input, "tool_name") ?? "")) return undefined
  const given = objectField(input, "tool_input")
  const path = textField(given, "file_path") ?? textField(given, "notebook_path")
  return path === undefined ? undefined : [path]
}
