// Sessions of Kimi Code, written line by line.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { JsonObject } from "../../../src/model/json.ts"
import { temporaryFolder } from "../read-session.ts"

export const METADATA = { type: "metadata", protocol_version: "1.5", created_at: 1794775063806 }

export const profile = (systemPrompt: string, modelAlias = "k2") => ({ type: "profile.bind", modelAlias, systemPrompt })

/** `origin`: by default a prompt. */
export function user(text: string, origin: JsonObject | undefined = { kind: "user" }): JsonObject {
  const content = [{ type: "text", text }]
  return { type: "context.append_message", message: { role: "user", content, toolCalls: [], origin: origin ?? null } }
}

const event = (event: JsonObject) => ({ type: "context.append_loop_event", event })

export const begin = (step: string) => event({ type: "step.begin", uuid: step })
export const end = (step: string, finishReason = "end_turn") =>
  event({ type: "step.end", uuid: step, finishReason, usage: { inputOther: 7, output: 2 } })
export const says = (stepUuid: string, text: string) =>
  event({ type: "content.part", uuid: `${stepUuid} ${text}`, stepUuid, part: { type: "text", text } })
export const calls = (stepUuid: string, toolCallId: string, name = "Read") =>
  event({ type: "tool.call", uuid: `${stepUuid} ${toolCallId}`, stepUuid, toolCallId, name, args: {} })
export const result = (toolCallId: string, output: string, more: JsonObject = {}) =>
  event({ type: "tool.result", parentUuid: "x", toolCallId, result: { output, ...more } })

/** A whole answer of one step. */
export const answer = (step: string, text: string) => [begin(step), says(step, text), end(step)]

export const switched = (branch: string, base: { branch: string; line: number }, more: JsonObject = {}) => ({
  type: "agent.switched",
  branch,
  base,
  ...more,
})

/** The folder of a session with these lines. Each has its own time. */
export function session(...lines: JsonObject[]): string {
  const folder = join(temporaryFolder(), "session_00000000-0000-4000-8000-000000000001")
  const main = join(folder, "agents", "main")
  mkdirSync(main, { recursive: true })
  writeFileSync(join(folder, "state.json"), '{"cwd":"/p","title":"A title"}')
  const timed = [METADATA, ...lines].map((line, i) => JSON.stringify({ ...line, time: 1794775063806 + i }))
  writeFileSync(join(main, "wire.jsonl"), `${timed.join("\n")}\n`)
  return folder
}
