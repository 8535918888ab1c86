// Gemini CLI's hooks: `hooks` in settings.json. They get no ids, so they are matched by their input and time.
import { join } from "node:path"
import { callDigest, promptDigest } from "../formats/gemini-cli/hook-names.ts"
import { geminiFolder } from "../formats/gemini-cli/place.ts"
import { digestName } from "../formats/shared/digest-name.ts"
import { objectField, textField } from "../formats/shared/json-line.ts"
import type { JsonObject } from "../model/json.ts"
import type { AgentHooks, HookEvent, HookMoment } from "./port.ts"
import { jsonSettings } from "./settings-text.ts"

const MOMENTS: Readonly<Record<string, HookMoment>> = {
  BeforeAgent: "round-begins",
  BeforeTool: "call-begins",
  AfterTool: "call-ends",
  AfterAgent: "round-ends",
  PreCompress: "keep",
  SessionEnd: "keep",
}

/** Tools that can write, and those that start agents that can. */
const WRITING = "^(write_file|replace|edit|run_shell_command|invoke_agent|save_memory|mcp_.*|.*__.*)$"

const EVENTS = [
  { event: "BeforeAgent" },
  { event: "BeforeTool", matcher: WRITING },
  { event: "AfterTool", matcher: WRITING },
  { event: "AfterAgent" },
  { event: "PreCompress" },
  { event: "SessionEnd" },
]

/** In milliseconds, as Gemini CLI expects. The hook itself gives up sooner. */
const TIMEOUT_MS = 30_000

export const geminiHooks: AgentHooks = {
  agent: "gemini-cli",
  read,
  // Gemini CLI already passes the session's own folder.
  startedIn: () => undefined,
  // Calls have no ids by which to look for results.
  resultMark: () => undefined,
  settings: jsonSettings(
    "gemini-cli",
    (homes, cwd) => join(cwd === undefined ? geminiFolder(homes) : join(cwd, ".gemini"), "settings.json"),
    { events: EVENTS, comments: true, more: { name: "retcon", timeout: TIMEOUT_MS } },
  ),
  note: "Sessions of Gemini CLI that are already running use it after a restart. See it there with /hooks.",
}

function read(input: JsonObject): HookEvent | undefined {
  const event = textField(input, "hook_event_name") ?? ""
  const moment = Object.hasOwn(MOMENTS, event) ? MOMENTS[event] : undefined
  const [session, cwd, at] = [textField(input, "session_id"), textField(input, "cwd"), textField(input, "timestamp")]
  if (moment === undefined || session === undefined || cwd === undefined || at === undefined) return undefined
  const transcript = textField(input, "transcript_path") || undefined
  const about = { moment, session, cwd, transcript, digestNames: true }
  if (moment === "round-begins")
    return { ...about, prompt: digestName(promptDigest(textField(input, "prompt") ?? ""), at) }
  if (moment !== "call-begins" && moment !== "call-ends") return about
  const tool = textField(input, "original_request_name") ?? textField(input, "tool_name") ?? ""
  const given = objectField(input, "tool_input") ?? {}
  const paths = pathsOf(tool, given)
  return { ...about, call: digestName(callDigest(tool, given), at), ...(paths !== undefined && { paths }) }
}

const EDITS: ReadonlySet<string> = new Set(["write_file", "replace", "edit"])

function pathsOf(tool: string, input: JsonObject): string[] | undefined {
  const path = textField(input, "file_path")
  return path === undefined || !EDITS.has(tool) ? undefined : [path]
}
