// The input of hooks modelled on Claude Code's: the same fields, except for a few names.
import { numberField, objectField, textField } from "../formats/shared/json-line.ts"
import { type JsonObject, parseJson } from "../model/json.ts"
import { commandIn } from "../model/record/tool-words.ts"
import type { HookEvent, HookMoment } from "./port.ts"

export interface InputStyle {
  moments: Readonly<Record<string, HookMoment>>
  /** The field with the agent's own id for the prompt. */
  prompt: string
  /** The files that a call can change; undefined if it may change any. */
  paths: (tool: string, input: JsonObject) => string[] | undefined
}

/** The names that agents with hooks like Claude Code's give to the moments of a round. */
export const ROUND_MOMENTS = {
  UserPromptSubmit: "round-begins",
  PreToolUse: "call-begins",
  PostToolUse: "call-ends",
  Stop: "round-ends",
} as const

/** Undefined if the moment is of no interest to us. */
export function readInput(
  input: JsonObject,
  { moments, prompt: promptField, paths: pathsOf }: InputStyle,
): HookEvent | undefined {
  const name = textField(input, "hook_event_name") ?? ""
  const moment = Object.hasOwn(moments, name) ? moments[name] : undefined
  const [session, cwd] = [textField(input, "session_id"), textField(input, "cwd")]
  if (moment === undefined || session === undefined || cwd === undefined) return undefined
  const prompt = textField(input, promptField)
  const [call, agent] = [textField(input, "tool_use_id"), textField(input, "agent_id")]
  const calls = moment === "call-begins" || moment === "call-ends"
  const paths = calls ? pathsOf(textField(input, "tool_name") ?? "", objectField(input, "tool_input") ?? {}) : undefined
  const command = moment === "call-ends" ? commandIn(input.tool_input ?? null) : undefined
  const ran = moment === "call-ends" ? numberField(input, "duration_ms") : undefined
  return {
    moment,
    session,
    cwd,
    transcript: textField(input, "transcript_path"),
    ...(command !== undefined && { command }),
    ...(ran !== undefined && { ran }),
    ...(prompt !== undefined && { prompt }),
    ...(call !== undefined && { call }),
    ...(agent !== undefined && { agent }),
    ...(paths !== undefined && { paths }),
  }
}

/** The first folder named in a session's file, which for all of these agents is where the session was started. */
export function firstFolder(head: Buffer): string | undefined {
  const text = /"cwd":("(?:[^"\\]|\\.)*")/.exec(head.toString("utf8"))?.[1]
  const json = text === undefined ? undefined : parseJson(text)
  return json?.ok === true && typeof json.value === "string" ? json.value : undefined
}
