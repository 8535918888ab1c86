// The model that a conversation goes on with: the one that was chosen for it, or that it was last run with, whichever is later.

import { type History, NONE, type Row } from "../tree/tree.ts"
import { beginningAt } from "./context.ts"

export const MODEL_KEY = "model"

/** Undefined: nobody chose one, and no turn says what it was run with. */
export function modelOnPath(history: History, head: Row): string | undefined {
  const ran = history.system(head)
  for (let row = history.state(head); row !== NONE; row = history.state(history.parent(row))) {
    if (row === ran) {
      const model = beginningAt(history, head)?.with?.model
      if (model !== undefined) return model
    }
    const record = history.record(row)
    if (record?.type === "state" && record.key === MODEL_KEY && typeof record.value === "string") return record.value
  }
  return undefined
}
