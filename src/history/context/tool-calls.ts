// Gives every tool call a result and every result a call, so that no provider refuses the request.
import type { Part, ToolCallPart } from "../../model/record/record.ts"
import type { ContextMessage } from "./message.ts"

/** What the model reads for a call that never ended: its turn was stopped, or its process died. */
export const INTERRUPTED = "This tool call was interrupted before it ended. It may have had effects."

/** The settled messages, and the calls of the last one that still wait for their results. */
export interface Settled {
  messages: ContextMessage[]
  open: readonly ToolCallPart[]
}

/**
 * Adds a message. Open calls of an assistant message get one synthetic message with results; results without a call are
 * left out. If that leaves a tool message without results, what else it contains, such as a note, becomes a user
 * message.
 */
export function settleNext(settled: Settled, message: ContextMessage): void {
  if (message.role === "tool") {
    const { content, open } = answered(message.content, settled.open)
    settled.open = open
    if (content.some((part) => part.type === "tool-result")) settled.messages.push(frozen({ role: "tool", content }))
    else if (content.length > 0) {
      settleLast(settled)
      settled.messages.push(frozen({ role: "user", content }))
    }
    return
  }
  settleLast(settled)
  settled.messages.push(message)
  if (message.role === "assistant") settled.open = message.content.filter((part) => part.type === "tool-call")
}

/** Closes the open calls: nothing follows that could answer them. */
export function settleLast(settled: Settled): ContextMessage[] {
  const { messages, open } = settled
  if (open.length > 0) messages.push(frozen({ role: "tool", content: open.map(interruptedResult) }))
  settled.open = []
  return messages
}

/** Contexts share these messages. */
function frozen(message: ContextMessage): ContextMessage {
  Object.freeze(message.content)
  return Object.freeze(message)
}

/** The parts, except results that answer no open call; and the calls that are still open. */
function answered(
  parts: readonly Part[],
  calls: readonly ToolCallPart[],
): { content: Part[]; open: readonly ToolCallPart[] } {
  let open = calls
  const content = parts.filter((part) => {
    if (part.type !== "tool-result") return true
    const left = open.filter(({ call }) => call !== part.call)
    const answers = left.length < open.length
    open = left
    return answers
  })
  return { content, open }
}

export function interruptedResult(call: { call: string; name: string }): Part {
  return { type: "tool-result", call: call.call, name: call.name, output: INTERRUPTED, error: true }
}

/** The results among the parts in the order of the calls, whichever ended first. Other parts stay where they are. */
export function inOrderOfCalls(content: readonly Part[], calls: readonly Part[]): Part[] {
  const place = new Map(calls.flatMap((part, n) => (part.type === "tool-call" ? [[part.call, n] as const] : [])))
  const results = content
    .filter((part) => part.type === "tool-result")
    .sort((one, other) => (place.get(one.call) ?? calls.length) - (place.get(other.call) ?? calls.length))
    .values()
  return content.map((part) => (part.type === "tool-result" ? (results.next().value ?? part) : part))
}
