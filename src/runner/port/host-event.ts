// Converts a step's events for front ends.
import type { StepEvent } from "../../agent/step/step-events.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { HostEvent } from "../../protocol/event.ts"
import type { Coverage } from "./coverage.ts"

/** Undefined: not for front ends. Questions are reported by the part that asks them. */
export function forHost(event: StepEvent, coverage: Pick<Coverage, "changes">): HostEvent | undefined {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
    case "tool-delta":
    case "retry":
      return event
    case "notice":
      return { type: "notice", level: "warning", text: event.text }
    case "text-end":
      return { type: "text-end" }
    case "reasoning-end":
      return { type: "reasoning-end" }
    case "tool-start": {
      const { call, name, title, input, action } = event
      return { type: "tool-start", call, name, title, input, ...(action.kind === "write" ? { diff: action.diff } : {}) }
    }
    case "tool-end": {
      const { call, name, output, error } = event
      return { type: "tool-end", call, name, output, error, files: coverage.changes(call) }
    }
    case "text-start":
    case "reasoning-start":
    case "tool-call":
    case "permission-start":
    case "permission-end":
      return undefined
    default:
      return unreachable(event)
  }
}
