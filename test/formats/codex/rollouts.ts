// Rollout files as a test writes them.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

export const THREAD = "01a1e52b-f59f-7d91-9ddb-ff59ca72fede"
export const OTHER = "01a1e52d-3d5f-7703-b6b2-632706d0f450"
export const SEGMENT = "01a1e52d-236d-7a33-84f6-f63a8cf77988"

type Json = Record<string, unknown>

let second = 0

export function line(type: string, payload: unknown, more: Json = {}): string {
  const timestamp = new Date(Date.UTC(2026, 10, 16) + second++ * 1000).toISOString()
  return `${JSON.stringify({ timestamp, type, payload, ...more })}\n`
}

export function meta(thread = THREAD, more: Json = {}): string {
  return line("session_meta", { id: thread, cwd: "/home/you/project", cli_version: "0.166.0", ...more })
}

export function event(type: string, more: Json = {}, beside: Json = {}): string {
  return line("event_msg", { type, ...more }, beside)
}

export const started = (parent: string | null = null) =>
  event("task_started", { turn_attribution: { parent_turn_id: parent } })

export const rolledBack = (turns: number, beside: Json = {}) =>
  event("thread_rolled_back", { num_turns: turns }, beside)

/** `kind`: what a new version says about it; none: as an older version writes it. */
export function item(role: string, text: string, kind?: string): Json {
  const type = role === "assistant" ? "output_text" : "input_text"
  const fields = { content_item_kinds: [kind] }
  return {
    type: "message",
    role,
    content: [{ type, text }],
    ...(kind !== undefined && { internal_chat_message_metadata_passthrough: fields }),
  }
}

export const said = (role: string, text: string, kind?: string, beside: Json = {}) =>
  line("response_item", item(role, text, kind), beside)

/** A prompt and its answer. */
export const turn = (text: string) =>
  started() + said("user", text, "user.text") + said("assistant", `reply to ${text}`)

export function rolloutPath(codexHome: string, thread = THREAD, segment?: string, day = "16"): string {
  const name = `rollout-2026-11-${day}T10-00-00-${thread}${segment === undefined ? "" : `_${segment}`}.jsonl`
  return join(codexHome, "sessions", "2026", "11", day, name)
}

export function write(path: string, ...lines: string[]): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.join(""))
  return path
}
