// What Back and Redo would do from here, or why they cannot: computed with the usual plans, without the server.
import { planForward } from "../../src/history/plan/forward.ts"
import { planBack } from "../../src/history/plan/plan-back.ts"
import { planRedo } from "../../src/history/plan/plan-undo.ts"
import type { Row, Tree } from "../../src/history/tree/tree.ts"
import { failureWords } from "../show/failure-words.ts"

export type ButtonStep = { can: true; by: "back" | "undo" | "redo"; messages: number } | { can: false; because: string }

export function backStep(tree: Tree, head: Row): ButtonStep {
  const planned = planBack(tree, head, 1)
  if (!planned.ok) return { can: false, because: failureWords(planned.failure).message }
  return { can: true, by: "back", messages: planned.plan.messages }
}

/** Redo right after an undo: it does again what was undone, wherever that leads. */
export function againStep(tree: Tree, head: Row): ButtonStep {
  const planned = planRedo(tree, head)
  if (!planned.ok) return redoStep(tree, head)
  return { can: true, by: "redo", messages: tree.messages(planned.plan.to) - tree.messages(head) }
}

/** Redo moves forward to where the last moves came from, as in an editor. */
export function redoStep(tree: Tree, head: Row): ButtonStep {
  const forward = planForward(tree, head)
  if (forward === undefined) return { can: false, because: "There is nothing to redo." }
  return { can: true, by: forward.by, messages: tree.messages(forward.to) - tree.messages(head) }
}
