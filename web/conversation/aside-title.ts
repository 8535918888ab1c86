// A heading of a word or two for an entry that is not part of the conversation.
import type { Origin } from "../../src/model/record/origin.ts"
import type { LogRecord } from "../../src/model/record/record.ts"

const TITLES: Partial<Record<Origin, string>> = {
  injection: "Reminder to the agent",
  notification: "Notification",
  hook: "Output of a hook",
  retry: "Sent again",
  task: "Task",
  skill: "Skill",
  command: "Command",
  summary: "Summary",
  note: "Note",
  interrupt: "Interrupted",
  move: "Told to the agent",
  tool: "Result",
}

export function asideTitle(record: LogRecord): string {
  if (record.type === "merge") return "Brought in from another branch"
  if (record.type !== "message") return record.type
  return record.role === "system" ? "System" : (TITLES[record.origin] ?? "Message")
}
