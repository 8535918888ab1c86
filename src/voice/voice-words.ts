// What to tell the voice model about the agent's work, so that it can speak about it.
import type { HostEvent } from "../protocol/event.ts"
import { headingOf, questionLines } from "../protocol/question.ts"

const MOST = 2000

export function askedWords(question: Extract<HostEvent, { type: "approval-start" }>): string {
  const lines = questionLines(question).map(({ text }) => text)
  return clipped([`The agent asks for permission: ${headingOf(question)}`, ...lines].join("\n"))
}

/** Collects the agent's words in the running turn. What it says after its last tool call is its answer. */
export function agentsWords(): { take(event: HostEvent): void; said(): string } {
  let words = ""
  return {
    take(event) {
      if (event.task !== undefined) return
      if (event.type === "turn-start" || event.type === "tool-start") words = ""
      if (event.type === "text-delta") words += event.text
    },
    said: () => clipped(words),
  }
}

function clipped(text: string): string {
  return text.length <= MOST ? text : `${text.slice(0, MOST)}…`
}
