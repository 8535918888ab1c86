// What a session consists of, line by line: who said what, and how many prompts there really are.
import { path, type Row, type Tree } from "../../src/history/tree/tree.ts"
import { ORIGINS, ROLES } from "../../src/model/record/origin.ts"
import { KIND } from "../../src/model/record/record.ts"

export interface Counted {
  /** On the path to the head; `all`: in all branches. */
  path: number
  all: number
}

export interface SessionCounts {
  prompts: Counted
  /** Messages with the role `user`: what a naive count would give. */
  userMessages: Counted
  /** How many lines there are of each kind, the most frequent first. */
  kinds: { name: string; count: number }[]
}

const NAMES = new Map<number, string>(Object.entries(KIND).map(([name, kind]) => [kind, name]))
const USER = ROLES.indexOf("user")
const SPELLED: Readonly<Record<string, string>> = {
  unknownEntry: "unknown entry",
  amendment: "new body",
  operation: "move",
}

/** Who or what said it; for anything but a message, its kind. */
export function nameOf(tree: Tree, row: Row): string {
  if (tree.kind(row) === KIND.message) return ORIGINS[tree.origin(row)] ?? "unknown"
  const name = NAMES.get(tree.kind(row)) ?? "unknown"
  return SPELLED[name] ?? name
}

/** Why a message does or does not count as a prompt. */
export function whyOf(tree: Tree, row: Row): string {
  if (tree.kind(row) !== KIND.message) return ""
  if (tree.isPrompt(row)) return "starts a round"
  return tree.role(row) === USER ? "has the user role, but nobody typed it" : ""
}

export function countsOf(tree: Tree, head: Row): SessionCounts {
  const kinds = new Map<string, number>()
  const [prompts, userMessages] = [
    { path: 0, all: 0 },
    { path: 0, all: 0 },
  ]
  for (let row = 0; row < tree.size; row++) {
    const name = nameOf(tree, row)
    kinds.set(name, (kinds.get(name) ?? 0) + 1)
    if (tree.isPrompt(row)) prompts.all++
    if (isOfUser(tree, row)) userMessages.all++
  }
  for (const row of path(tree, head)) if (isOfUser(tree, row)) userMessages.path++
  prompts.path = tree.round(head)
  const sorted = [...kinds].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count)
  return { prompts, userMessages, kinds: sorted }
}

function isOfUser(tree: Tree, row: Row): boolean {
  return tree.kind(row) === KIND.message && tree.role(row) === USER
}
