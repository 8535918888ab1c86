// Another agent's file can be ahead of what has been read of its program's output. Finds out which of that output is
// already in the tree.
import type { History } from "../../history/tree/tree.ts"
import type { ProgramEvent } from "../../programs/port.ts"

type Kind = "text" | "reasoning"
const KINDS: readonly Kind[] = ["text", "reasoning"]

interface RecordedText {
  kind: Kind
  /** Its answer's id, if the agent records that. */
  answer: string | undefined
  text: string
  /** It is one that has been told before. */
  isTold: boolean
}

/**
 * Takes each event in order; returns whether it belongs to a text or reasoning that the tree already has: by the answer's id, or
 * if the program does not say that, by what has been said so far.
 * `before`: how many rows there were before this turn.
 */
export function alreadyRecorded(history: History, before: number): (event: ProgramEvent) => boolean {
  const recorded: RecordedText[] = []
  let row = before
  let answer: string | undefined
  /** Of the text or reasoning that is being told. */
  let said: Record<Kind, string> = { text: "", reasoning: "" }

  function look(): void {
    for (; row < history.size; row++) {
      const record = history.record(row)
      if (record?.type !== "message" || record.role !== "assistant") continue
      for (const part of record.content)
        if (part.type === "text" || part.type === "reasoning")
          recorded.push({ kind: part.type, answer: record.answer, text: part.text ?? "", isTold: false })
    }
  }
  function found(kind: Kind): RecordedText | undefined {
    look()
    const left = recorded.filter((each) => each.kind === kind && !each.isTold)
    if (answer !== undefined) return left.find((each) => each.answer === answer)
    return said[kind] === "" ? undefined : left.find(({ text }) => text.startsWith(said[kind]))
  }

  return (event) => {
    if (event.type === "step-start") [answer, said] = [event.answer, { text: "", reasoning: "" }]
    for (const kind of KINDS) {
      if (event.type === `${kind}-delta` && "text" in event) {
        said[kind] += event.text
        return found(kind) !== undefined
      }
      if (event.type !== `${kind}-end`) continue
      const told = found(kind)
      if (told !== undefined) told.isTold = true
      said[kind] = ""
    }
    return false
  }
}
