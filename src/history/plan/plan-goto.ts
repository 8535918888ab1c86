// Goto: to any entry. For something the person said, that is before it, with its text in the editor.
import { isEntryKind } from "../../model/record/record.ts"
import { isSaid } from "../tree/person-words.ts"
import { NONE, type Row, type Tree } from "../tree/tree.ts"
import { type Planned, plan, refuse } from "./plan.ts"

/** `names`: with `place`, goes to the entry itself, whatever it is. */
export function planGoto(tree: Tree, head: Row, entry: Row, names: "entry" | "place" = "entry"): Planned {
  if (entry === NONE) return plan(tree, "goto", { from: head, to: NONE })
  if (!isEntryKind(tree.kind(entry))) {
    return refuse({ code: "not-found", what: "entry", name: tree.id(entry) })
  }
  if (isSaid(tree, entry) && names === "entry")
    return plan(tree, "goto", { from: head, to: tree.parent(entry), prompt: entry })
  return plan(tree, "goto", { from: head, to: entry })
}
