// Splits overlapping spans: a background command and edits meanwhile, or two calls at once. Each change must be taken
// back only once, so for each path time is cut where spans start and end, and each stretch belongs to one span.
import type { SnapshotChange } from "../../model/record/record.ts"
import type { Row } from "../tree/tree.ts"
import type { CallSpan } from "./call-span.ts"

/** Contract: oldest first; no two of the returned spans contain a path at the same time. */
export function apart(all: readonly CallSpan[]): CallSpan[] {
  const sorted = [...all].sort((a, b) => a.opened - b.opened || a.row - b.row)
  const found: CallSpan[] = []
  let group: CallSpan[] = []
  let until = -1
  for (const span of sorted) {
    if (span.opened >= until) {
      found.push(...cut(group))
      group = []
    }
    group.push(span)
    until = Math.max(until, span.row)
  }
  return [...found, ...cut(group)]
}

interface Boundary {
  row: Row
  snapshot: string
  at: string
}

function cut(group: readonly CallSpan[]): CallSpan[] {
  if (group.length < 2) return [...group]
  const stretches = new Map<string, CallSpan>()
  for (const [path, owners] of ownersByPath(group)) {
    const boundaries = owners.flatMap(boundariesOf).sort((a, b) => a.row - b.row)
    for (const [i, begin] of boundaries.entries()) {
      const end = boundaries[i + 1]
      const owner = end === undefined ? undefined : ownerOf(owners, begin, end)
      if (end === undefined || owner === undefined) continue
      const change = owner.changes.find((each) => each.path === path)
      add(stretches, owner, begin, end, change ?? { path, change: "modified", during: "command" })
    }
  }
  return [...stretches.values()].sort((a, b) => a.opened - b.opened || a.row - b.row)
}

/** A command owns every path: what it created and another call removed is in neither one's changes. */
function ownersByPath(group: readonly CallSpan[]): Map<string, CallSpan[]> {
  const paths = new Set(group.flatMap(({ changes }) => changes.map(({ path }) => path)))
  const holds = (span: CallSpan, path: string) => span.whole || span.changes.some((each) => each.path === path)
  return new Map([...paths].map((path) => [path, group.filter((span) => holds(span, path))]))
}

function boundariesOf({ opened, row, before, after, from, until }: CallSpan): Boundary[] {
  return [
    { row: opened, snapshot: before, at: from },
    { row, snapshot: after, at: until },
  ]
}

/** A call that names the path wins over a command; among equals, the one that opened last. */
function ownerOf(owners: readonly CallSpan[], begin: Boundary, end: Boundary): CallSpan | undefined {
  const open = owners.filter((span) => span.opened <= begin.row && span.row >= end.row)
  return open.findLast((span) => !span.whole) ?? open.at(-1)
}

function add(
  stretches: Map<string, CallSpan>,
  owner: CallSpan,
  begin: Boundary,
  end: Boundary,
  change: SnapshotChange,
): void {
  const key = `${owner.row} ${begin.row} ${end.row}`
  const known = stretches.get(key)
  if (known !== undefined) {
    known.changes.push(change)
    return
  }
  stretches.set(key, {
    ...owner,
    opened: begin.row,
    row: end.row,
    before: begin.snapshot,
    after: end.snapshot,
    from: begin.at,
    until: end.at,
    changes: [change],
  })
}
