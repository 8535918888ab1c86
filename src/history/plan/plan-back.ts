// Back: to before the last thing the person asked, or an earlier one. It never empties a conversation.
import { askedPrompts } from "../tree/asked.ts"
import { NONE, promptAt, type Row, type Tree } from "../tree/tree.ts"
import { type Planned, plan, refuse } from "./plan.ts"

export function planBack(tree: Tree, head: Row, rounds: number): Planned {
  if (!Number.isSafeInteger(rounds) || rounds < 1) {
    return refuse({ code: "invalid", problem: `"${rounds}" is not a number of rounds.`, advice: "Use 1, 2, 3, …" })
  }
  const asked = askedPrompts(tree, head, rounds + 1)
  const possible = asked.length - 1
  if (possible < 1) return refuse({ code: "at-start", rounds: possible + 1 })
  if (rounds > possible) return refuse({ code: "too-few-rounds", asked: rounds, possible })
  const prompt = asked.at(-rounds)?.prompt ?? NONE
  return plan(tree, "back", { from: head, to: tree.parent(prompt), prompt })
}

/** The prompt that starts the n-th round of the path from its end, or NONE. */
export function promptBack(tree: Tree, head: Row, rounds: number): Row {
  return promptAt(tree, head, tree.round(head) - rounds + 1)
}

/** Retract: withdraws the last prompt. Contract: the head is that prompt or in its round. */
export function planRetract(tree: Tree, head: Row): Planned {
  const prompt = tree.prompt(head)
  if (prompt === NONE) return refuse({ code: "at-start", rounds: 0 })
  return plan(tree, "retract", { from: head, to: tree.parent(prompt), prompt })
}
