// Who added a message, and why. Set when the message is created, never guessed later.

/**
 * - `prompt` what a person typed; starts a round
 * - `steer` typed while the agent ran
 * - `command` a slash command; `shell` a `!command` of the person; `skill` an activated skill
 * - `injection` a reminder; `notification` news of a background job; `hook` output of a hook; `retry` sent again
 * - `task` what a parent agent gave a sub-agent
 * - `agent` the model's own words; `tool` a tool's result
 * - `summary` of a compaction; `note` of a backtrack; `interrupt` a turn that was stopped
 * - `move` of the files alone: the operation after it moves the head there, as with a note
 * - `unknown` an importer could not tell
 */
export const ORIGINS = [
  "unknown",
  "prompt",
  "steer",
  "command",
  "shell",
  "skill",
  "injection",
  "notification",
  "hook",
  "retry",
  "task",
  "agent",
  "tool",
  "summary",
  "note",
  "interrupt",
  "move",
] as const

export type Origin = (typeof ORIGINS)[number]

export const ROLES = ["user", "assistant", "tool", "system"] as const
export type Role = (typeof ROLES)[number]

export function parseOrigin(value: unknown): Origin | undefined {
  return ORIGINS.find((origin) => origin === value)
}

export function parseRole(value: unknown): Role | undefined {
  return ROLES.find((role) => role === value)
}
