// Every tool call has a result and every result a call, so that no provider refuses the request.
import type { Part } from "../model/part.ts"
import type { ContextMessage } from "./context.ts"

/** What the model reads for a call that never ended: its turn was stopped, or its process died. */
export const INTERRUPTED = "This tool call was interrupted before it ended. It may have had effects."

type ToolCall = Extract<Part, { type: "tool-call" }>

/**
 * Adds one synthetic message for the open calls of each assistant message, and leaves out results without a call. What
 * else a message held whose results were all left out, such as a note, is said by the user.
 */
export function settleToolCalls(messages: readonly ContextMessage[]): ContextMessage[] {
  const settled: ContextMessage[] = []
  let open: ToolCall[] = []
  const settle = () => {
    if (open.length > 0) settled.push({ role: "tool", content: open.map(interruptedResult) })
    open = []
  }
  const answers = (call: string): boolean => {
    const before = open.length
    open = open.filter((candidate) => candidate.call !== call)
    return open.length < before
  }
  for (const message of messages) {
    if (message.role === "tool") {
      const content = message.content.filter((part) => part.type !== "tool-result" || answers(part.call))
      if (content.some((part) => part.type === "tool-result")) settled.push({ role: "tool", content })
      else if (content.length > 0) {
        settle()
        settled.push({ role: "user", content })
      }
      continue
    }
    settle()
    settled.push(message)
    if (message.role === "assistant") open = message.content.filter((part) => part.type === "tool-call")
  }
  settle()
  return settled
}

export function interruptedResult(call: { call: string; name: string }): Part {
  return { type: "tool-result", call: call.call, name: call.name, output: INTERRUPTED, error: true }
}
