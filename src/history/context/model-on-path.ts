// The model that a conversation continues with: the one last chosen or last used, whichever is later.
import { MODEL_KEY } from "../../model/record/state-key.ts"
import { keyAt } from "../tree/state.ts"
import { type History, NONE, type Row } from "../tree/tree.ts"
import { beginningAt } from "./context.ts"

/** Undefined if nobody chose one and no turn names its model. */
export function modelOnPath(history: History, head: Row): string | undefined {
  const ran = history.system(head)
  for (let row = history.state(head); row !== NONE; row = history.state(history.parent(row))) {
    if (row === ran) {
      const model = beginningAt(history, head)?.with?.model
      if (model !== undefined) return model
    }
    if (keyAt(history, row) !== MODEL_KEY) continue
    const record = history.record(row)
    if (record?.type === "state" && typeof record.value === "string") return record.value
  }
  return undefined
}
