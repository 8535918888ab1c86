// What the person has asked: the prompts on the path, and those that the agent went back past with Backtrack. The agent
// decides what it reads again; it does not decide what the person has said.
import { KIND } from "../../model/record/record.ts"
import { steeringByPrompt } from "./person-words.ts"
import { chain, isOnPath, NONE, prompts, type Row, type Tree } from "./tree.ts"

export interface Asked {
  prompt: Row
  /** The agent's Backtrack left it behind: it is not on the path, so it has no number there. */
  passed: boolean
  /** The end of the path that it is on: the head, or where the agent was when it went back. */
  end: Row
}

/**
 * In the order in which they were asked, or only the last few. Costs that many rounds, and the Backtracks of the log.
 */
export function askedPrompts(tree: Tree, head: Row, last = Number.POSITIVE_INFINITY): Asked[] {
  const onPath = prompts(tree, head, last).map((prompt) => ({ prompt, passed: false, end: head }))
  const left = passedSince(tree, head, NONE)
  if (left.length === 0) return onPath
  const all = [...onPath, ...left].sort((a, b) => a.prompt - b.prompt)
  return all.slice(Math.max(0, all.length - last))
}

/** The last prompt of all, or NONE. */
export function lastAsked(tree: Tree, head: Row): Row {
  return askedPrompts(tree, head, 1)[0]?.prompt ?? NONE
}

/** What the person typed while the agent worked, by the prompt of the round, in order. Costs the entries since these. */
export function steeringOf(tree: Tree, asked: readonly Asked[]): Map<Row, Row[]> {
  const firsts = new Map<Row, Row>()
  for (const { prompt, end } of asked) if (!firsts.has(end)) firsts.set(end, prompt)
  return new Map([...firsts].flatMap(([end, first]) => [...steeringByPrompt(tree, end, first)]))
}

/** The prompts that the agent went back past when it left this note, in order. None for any other entry. */
export function passedBy(tree: Tree, note: Row): Asked[] {
  const end = leftBy(tree, note)
  if (end === NONE) return []
  const checkpoint = tree.parent(note)
  const found = passedSince(tree, end, checkpoint)
  for (let prompt = tree.prompt(end); isBelow(tree, prompt, checkpoint); prompt = tree.prompt(tree.parent(prompt)))
    found.push({ prompt, passed: true, end })
  return found.sort((a, b) => a.prompt - b.prompt)
}

function passedSince(tree: Tree, head: Row, after: Row): Asked[] {
  const found: Asked[] = []
  for (const note of chain(tree, KIND.note)) {
    if (after !== NONE && note < after) break
    if (isBelow(tree, note, after) && isOnPath(tree, note, head)) found.push(...passedBy(tree, note))
  }
  return found
}

function isBelow(tree: Tree, row: Row, above: Row): boolean {
  return row !== NONE && row !== above && isOnPath(tree, above, row)
}

/** How many lines to search for the operation that was written with a note. */
const LINES = 64

/** Where the agent was when it went back and left this note; NONE if it is no such note. */
function leftBy(tree: Tree, note: Row): Row {
  if (tree.kind(note) !== KIND.note) return NONE
  for (let row = note + 1; row < tree.size && row <= note + LINES; row++) {
    if (tree.kind(row) !== KIND.operation || tree.headAfter(row) !== note) continue
    const left = tree.isBacktrack(row) ? tree.parent(row) : NONE
    return isBelow(tree, left, tree.parent(note)) ? left : NONE
  }
  return NONE
}
