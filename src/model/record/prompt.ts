// "Is this a prompt?" has one answer, here. A prompt starts a round and is listed; nothing else does.
import { unreachable } from "../unreachable.ts"
import type { Origin, Role } from "./origin.ts"

/** `turn`: a command that starts a turn, such as `/init`, is a prompt; one that only shows something is not. */
export function isPrompt(message: { role: Role; origin: Origin; turn?: boolean }): boolean {
  if (message.role !== "user") return false
  switch (message.origin) {
    case "prompt":
      return true
    case "command":
      return message.turn === true
    case "unknown":
    case "steer":
    case "shell":
    case "skill":
    case "injection":
    case "notification":
    case "hook":
    case "retry":
    case "task":
    case "agent":
    case "tool":
    case "summary":
    case "note":
    case "interrupt":
    case "move":
      return false
    default:
      return unreachable(message.origin)
  }
}
