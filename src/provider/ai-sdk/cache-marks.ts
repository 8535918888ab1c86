// Prompt-cache breakpoints, for the provider that must be told where they are.
import type { Prompt, PromptMessage, ProviderOptions } from "./sdk.ts"

const MARK: ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } }

/**
 * Marks the system prompt (tools come before it), the end of this request, and the end of the previous one, where that
 * left its cache. The SDK puts a message's mark on its last block and changes nothing else.
 */
export function withCacheMarks(prompt: Prompt): Prompt {
  const marked = new Set<PromptMessage>()
  const system = prompt.findLast((message) => message.role === "system")
  const last = prompt.findLastIndex(isSent)
  const answer = prompt.findLastIndex((message, index) => index < last && message.role === "assistant")
  const before = prompt.findLastIndex((message, index) => index < answer && isSent(message))
  for (const message of [system, prompt[last], prompt[before]]) if (message !== undefined) marked.add(message)
  return prompt.map((message) => (marked.has(message) ? { ...message, providerOptions: MARK } : message))
}

function isSent(message: PromptMessage): boolean {
  return message.role === "user" || message.role === "tool"
}
