// Going forward again: every front end has one key, one button or one word for it.
import { isOnPath, type Row, type Tree } from "../tree/tree.ts"
import type { Planned } from "./plan.ts"
import { planRedo, planUndo } from "./plan-undo.ts"

/**
 * Forward goes to where the last moves came from, as in an editor: it takes back a move that went back, or redoes what
 * an undo took back. Undefined if neither leads forward from here.
 */
export function planForward(tree: Tree, head: Row): { by: "undo" | "redo"; to: Row } | undefined {
  const redo = forwardTo(tree, head, planRedo(tree, head))
  if (redo !== undefined) return { by: "redo", to: redo }
  const undo = forwardTo(tree, head, planUndo(tree, head))
  return undo === undefined ? undefined : { by: "undo", to: undo }
}

function forwardTo(tree: Tree, head: Row, planned: Planned): Row | undefined {
  if (!planned.ok || planned.plan.to === head || !isOnPath(tree, head, planned.plan.to)) return undefined
  return planned.plan.to
}
