// Back and Redo as in an editor, whatever the log calls the moves behind them.
import { expect, test } from "vitest"
import { planBack } from "../../src/history/plan/plan-back.ts"
import { planRedo, planUndo } from "../../src/history/plan/plan-undo.ts"
import { backStep, redoStep } from "../../web/move/steps.ts"
import { picture } from "../history/picture.ts"

/** Presses the buttons in order; "undo" is the toast's. Returns where the head is after each. */
function press(words: string, presses: string): string[] {
  const tree = picture(words)
  return presses.split(" ").map((button) => {
    const step = button === "back" ? backStep(tree, tree.head) : redoStep(tree, tree.head)
    if (button === "undo") tree.carryOut(planUndo(tree, tree.head))
    else if (!step.can) return "no"
    else if (step.by === "back") tree.carryOut(planBack(tree, tree.head, 1))
    else tree.carryOut(step.by === "undo" ? planUndo(tree, tree.head) : planRedo(tree, tree.head))
    return tree.name(tree.head)
  })
}

const THREE = "p1 > a1 > p2 > a2 > p3 > a3"

test.each([
  ["redo returns from a back", "back redo", ["a2", "a3"]],
  ["and from several, one by one", "back back redo redo", ["a2", "a1", "a2", "a3"]],
  ["where one went last there is nothing to redo", "redo", ["no"]],
  ["after all is redone there is nothing more", "back redo redo", ["a2", "a3", "no"]],
  ["redo returns from an undo of what was said", "undo redo", ["a2", "a3"]],
  ["at the start there is no back", "back back back", ["a2", "a1", "no"]],
])("%s", (_, presses, heads) => {
  expect(press(THREE, presses)).toEqual(heads)
})

test("a button that cannot be pressed says why", () => {
  const tree = picture("p1 > a1")
  expect(backStep(tree, tree.head)).toEqual({
    can: false,
    because: "This is the first round: there is nothing to go back to.",
  })
  expect(redoStep(tree, tree.head)).toMatchObject({ can: false, because: expect.stringContaining("nothing to redo") })
})
