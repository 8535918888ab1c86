// The tree laid out as a graph with lanes, newest first, lazily: a line is laid out when it is asked for. The path is
// lane 0. A branch is drawn whole above the line where it leaves, so a lane is open only while it is needed.
import { ROLES } from "../../model/record/origin.ts"
import { KIND } from "../../model/record/record.ts"
import { type Branches, branchesOf } from "../tree/branches.ts"
import { entries, NONE, type Row, type Tree } from "../tree/tree.ts"

/** A run of entries without a fork within one round, drawn as one line. */
export interface Stretch {
  first: Row
  last: Row
  /** The prompt, note or compaction it starts with; `first` if a fork or a label cut the round before it. */
  named: Row
  starts: "prompt" | "note" | "compaction" | "more"
  messages: number
}

/** `started`: whether lane 0 has a line above this one. All other lanes do, while they are open. */
export type GraphLine =
  | { type: "stretch"; lane: number; started: boolean; stretch: Stretch; head: boolean; onPath: boolean }
  /** The branch in `lane` leaves the one before it here. */
  | { type: "join"; lane: number; started: boolean }
  /** A branch that is not drawn leaves the one in `lane` here. */
  | { type: "folded"; lane: number; started: boolean; branch: Folded }
  /** Branches that leave here and are not named one by one. */
  | { type: "others"; lane: number; started: boolean; branches: number; messages: number }
  /** The empty conversation, where several conversations start or the head is. */
  | { type: "start"; head: boolean; started: boolean }
  /** The limit was reached: so many entries remain. */
  | { type: "rest"; entries: number }

export interface Folded {
  first: Row
  /** The entry appended last: where the branch would be continued. */
  newest: Row
  messages: number
  tips: number
}

export interface GraphOptions {
  /** `path`: the path, and a line for each branch that leaves it. `all`: every branch. */
  show: "path" | "all"
  /** At most this many stretches. */
  limit?: number
  /** At most this many lanes; deeper branches are folded. */
  lanes?: number
  /** Names at most this many folded branches at one entry. */
  folded?: number
  /** Entries that must end a stretch, such as those with a label. */
  stops?: (row: Row) => boolean
  /** Branches not to draw, by their first entry. */
  isFolded?: (first: Row) => boolean
}

/** The part of a tree that drawing needs. */
export type GraphTree = Pick<Tree, "size" | "kind" | "role" | "isPrompt" | "parent" | "round" | "depth">

/** A branch being drawn: from its newest end down to where it leaves another. */
interface Walk {
  /** The next entry to draw. */
  at: Row
  /** The one drawn before it; NONE at the top. */
  above: Row
  /** The last entry of this branch; NONE for the path, which ends at the empty conversation. */
  bottom: Row
  /** Branches that leave `at` and are still to be drawn; undefined: not determined yet. */
  sides: Row[] | undefined
  /** Whether something is above `at` in this lane. */
  started: boolean
}

/** Contract: all lines are drawn from the rows that exist when the first is asked for. */
export function* graph(tree: GraphTree, head: Row, options: GraphOptions): Generator<GraphLine> {
  const branches = branchesOf(tree)
  const walks: Walk[] = [{ at: head, above: NONE, bottom: NONE, sides: undefined, started: false }]
  let drawn = 0
  let drawnEntries = 0
  for (let walk = walks.at(-1); walk !== undefined; walk = walks.at(-1)) {
    const lane = walks.length - 1
    const started = walks[0]?.started === true
    walk.sides ??= sidesOf(branches, walk)
    if (walk.sides.length > 0) {
      if (options.show === "path" || walks.length >= (options.lanes ?? 12)) {
        yield* fold(branches, walk.sides.reverse(), lane, started, options.folded ?? Number.POSITIVE_INFINITY)
        walk.sides = []
        walk.started = true
        continue
      }
      const side = walk.sides.pop() as Row
      if (options.isFolded?.(side) === true) {
        yield* fold(branches, [side], lane, started, 1)
        walk.started = true
        continue
      }
      walks.push({ at: branches.newest(side), above: NONE, bottom: side, sides: undefined, started: false })
      continue
    }
    if (walk.at === NONE) {
      if (head === NONE || branches.forks(NONE)) yield { type: "start", head: head === NONE, started }
      return
    }
    if (drawn >= (options.limit ?? Number.POSITIVE_INFINITY)) {
      yield { type: "rest", entries: options.show === "path" ? tree.depth(walk.at) : count(tree) - drawnEntries }
      return
    }
    const { stretch, length } = stretchAt(tree, branches, walk, options)
    yield { type: "stretch", lane, started, stretch, head: stretch.last === head, onPath: lane === 0 }
    drawn++
    drawnEntries += length
    walk.started = true
    if (stretch.first !== walk.bottom) {
      Object.assign(walk, { at: tree.parent(stretch.first), above: stretch.first, sides: undefined })
      continue
    }
    walks.pop()
    const below = walks.at(-1)
    if (below === undefined) return
    yield { type: "join", lane, started: walks[0]?.started === true }
    below.started = true
  }
}

/** The branches that leave an entry; the one that was worked on last comes last. */
function sidesOf(branches: Branches, walk: Walk): Row[] {
  const sides = branches.children(walk.at).filter((child) => child !== walk.above)
  return sides.sort((a, b) => branches.newest(a) - branches.newest(b))
}

function* fold(branches: Branches, sides: readonly Row[], lane: number, from: boolean, most: number) {
  let started = from
  // A single remaining one is named too: a line saying "1 more" would save nothing.
  const named = sides.length <= most + 1 ? sides.length : most
  for (const first of sides.slice(0, named)) {
    const [messages, tips] = [branches.messages(first), branches.tips(first)]
    const branch: Folded = { first, newest: branches.newest(first), messages, tips }
    yield { type: "folded" as const, lane, started, branch }
    started ||= lane === 0
  }
  const others = sides.slice(named)
  if (others.length === 0) return
  const [messages, tips] = [sum(others, branches.messages), sum(others, branches.tips)]
  yield { type: "others" as const, lane, started, branches: tips, messages }
}

function sum(rows: readonly Row[], count: (row: Row) => number): number {
  return rows.reduce((total, row) => total + count(row), 0)
}

/** From `walk.at` towards the root, until the round starts, a branch leaves, or the next entry must end a stretch. */
function stretchAt(tree: GraphTree, branches: Branches, walk: Walk, options: GraphOptions) {
  const isLast = (row: Row) => branches.forks(row) || options.stops?.(row) === true
  let first = walk.at
  let messages = 0
  let length = 0
  for (;;) {
    length++
    if (tree.kind(first) === KIND.message) messages++
    const starts = startsWith(tree, first)
    const parent = tree.parent(first)
    if (starts !== "more" || first === walk.bottom || parent === NONE || isLast(parent)) {
      const lead = starts === "prompt" && first !== walk.bottom ? leadIn(tree, parent, walk.bottom, isLast) : []
      const stretch: Stretch = { first: lead.at(-1) ?? first, last: walk.at, named: first, starts, messages }
      return { stretch, length: length + lead.length }
    }
    first = parent
  }
}

const LONGEST_LEAD = 16

/**
 * What precedes the first prompt of a conversation, such as a system prompt, belongs to its first round; as far down as
 * the branch goes.
 */
function leadIn(tree: GraphTree, from: Row, bottom: Row, isLast: (row: Row) => boolean): Row[] {
  const lead: Row[] = []
  if (tree.round(from) > 0 || tree.depth(from) > LONGEST_LEAD) return lead
  for (let row = from; row !== NONE; row = tree.parent(row)) {
    const said = tree.kind(row) === KIND.message && ROLES[tree.role(row)] !== "system"
    if (said || tree.kind(row) === KIND.note || tree.kind(row) === KIND.compaction || isLast(row)) return []
    lead.push(row)
    if (row === bottom) return lead
  }
  return lead
}

function startsWith(tree: GraphTree, row: Row): Stretch["starts"] {
  if (tree.isPrompt(row)) return "prompt"
  if (tree.kind(row) === KIND.note) return "note"
  return tree.kind(row) === KIND.compaction ? "compaction" : "more"
}

function count(tree: GraphTree): number {
  let all = 0
  for (const _ of entries(tree)) all++
  return all
}
