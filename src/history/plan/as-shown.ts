// Whether the head is where a front end shows it, so that what it asks for means what its person sees.
import { NONE, type Row, type Tree } from "../tree/tree.ts"

/**
 * True too if the agent has only gone on in the same round: nobody has to be asked again because an answer grew. `working`: a
 * turn runs here, in which the agent may also have gone back by itself.
 */
export function isAsShown(tree: Tree, shown: Row, head: Row, { working }: { working: boolean }): boolean {
  if (shown === head) return true
  if (working && shown !== NONE && head !== NONE && tree.prompt(shown) === tree.prompt(head)) return true
  let row = head
  while (row !== NONE && row !== shown && !tree.isPrompt(row)) row = tree.parent(row)
  return row === shown
}
