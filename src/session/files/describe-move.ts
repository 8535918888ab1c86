// What a move returns: the same shape for a dry run and for the move itself.
import type { MovePlan } from "../../history/plan/plan.ts"
import { entryId, type History, isOnPath, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { Moved } from "../../model/move/moved.ts"
import { plainText } from "../../model/record/record.ts"

/** Describes a plan for front ends, before the files are examined. */
export function describeMove(history: History, plan: MovePlan, outcome: Moved["outcome"]): Moved {
  return {
    outcome,
    kind: plan.kind,
    operation: null,
    from: entryId(history, plan.from),
    head: entryId(history, plan.to),
    left: plan.left,
    regained: plan.regained,
    messages: plan.messages,
    prompt: givenBack(history, plan),
    filesMode: "keep",
    files: [],
    kept: [],
    uncertain: [],
    notCovered: [],
    commits: [],
  }
}

function givenBack(history: History, { kind, from, prompt }: MovePlan): Moved["prompt"] {
  const given = promptText(history, prompt)
  const passed = kind === "back" && prompt !== NONE && !isOnPath(history, prompt, from)
  return given === null || !passed ? given : { ...given, passed: true }
}

/** What the person typed, as they typed it. */
export function promptText(history: History, row: Row): Moved["prompt"] {
  if (row === NONE) return null
  const record = history.record(row)
  const text = record?.type === "message" ? (record.display ?? plainText(record.content)) : ""
  return { id: history.id(row) as EntryId, text }
}
