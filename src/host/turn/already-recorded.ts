// Another agent's file can be ahead of what has been read of its program's output. Finds out which of that output is
// already in the tree.
import type { History } from "../../history/tree/tree.ts"
import type { ProgramEvent } from "../../programs/port.ts"

type Kind = "text" | "reasoning"
const KINDS: readonly Kind[] = ["text", "reasoning"]

/**
 * Takes each event in order; returns whether it belongs to a text or reasoning that the tree already has.
 * `before`: how many rows there were before this turn.
 */
export function alreadyRecorded(history: History, before: number): (event: ProgramEvent) => boolean {
  /** How many parts of each kind the tree has of each answer, counted up to `row`. */
  const recorded = new Map<string, Record<Kind, number>>()
  let row = before
  let answer: string | undefined
  let ended: Record<Kind, number> = { text: 0, reasoning: 0 }

  function count(): void {
    for (; row < history.size; row++) {
      const record = history.record(row)
      if (record?.type !== "message" || record.answer === undefined) continue
      const counts = recorded.get(record.answer) ?? { text: 0, reasoning: 0 }
      for (const { type } of record.content) for (const kind of KINDS) if (type === kind) counts[kind]++
      recorded.set(record.answer, counts)
    }
  }

  return (event) => {
    if (event.type === "step-start") {
      answer = event.answer
      ended = { text: 0, reasoning: 0 }
    }
    if (answer === undefined) return false
    for (const kind of KINDS) {
      if (event.type === `${kind}-end`) ended[kind]++
      if (event.type !== `${kind}-delta`) continue
      count()
      return (recorded.get(answer)?.[kind] ?? 0) > ended[kind]
    }
    return false
  }
}
