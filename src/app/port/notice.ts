// A notice for the person, as an event.
import type { Advice } from "../../model/failure/failure.ts"
import type { HostEvent } from "../../protocol/event.ts"

export function warning(text: string, advice: Advice = ""): HostEvent {
  return { type: "notice", level: "warning", text, ...(advice.length === 0 ? {} : { advice }) }
}
