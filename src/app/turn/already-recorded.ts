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
  /** The answer that is being told, and how many of its parts have ended. */
  let told: { answer: string; ended: Record<Kind, number> } | undefined

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
      const { answer } = event
      told = answer === undefined ? undefined : { answer, ended: { text: 0, reasoning: 0 } }
    }
    if (told === undefined) return false
    const { answer, ended } = told
    for (const kind of KINDS) {
      if (event.type === `${kind}-end`) ended[kind]++
      if (event.type !== `${kind}-delta`) continue
      count()
      return (recorded.get(answer)?.[kind] ?? 0) > ended[kind]
    }
    return false
  }
}
