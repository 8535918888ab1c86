// Three-way merge of lines: applies what changed from base to theirs to ours, as long as the two do not touch.
import { diffLines, type Hunk } from "../../model/text/diff-lines.ts"
import { joinLines, splitLines } from "./byte-lines.ts"

/** A place where both sides changed the same lines. `line` counts from 1, in ours. */
export type Clash = { line: number; ours: string[]; base: string[]; theirs: string[] }
export type Merged = { pieces: (string[] | Clash)[]; clashes: Clash[] }

/** Contract: equal changes on both sides count as one. Changes that touch each other clash. */
export function merge3(base: Buffer, ours: Buffer, theirs: Buffer): Merged {
  const [o, a, b] = [splitLines(base), splitLines(ours), splitLines(theirs)]
  const left = diffLines(o, a)
  const right = diffLines(o, b)
  const merged: Merged = { pieces: [], clashes: [] }
  let [i, j, baseAt, oursAt] = [0, 0, 0, 0]
  while (i < left.length || j < right.length) {
    const region = nextRegion(left, right, i, j)
    const same = region.start - baseAt
    merged.pieces.push(a.slice(oursAt, oursAt + same))
    oursAt += same
    const mine = sideText(a, left.slice(i, region.i), region, oursAt)
    const other = sideText(b, right.slice(j, region.j), region, region.start + shift(right, j))
    const base = () => o.slice(region.start, region.end)
    add(merged, { mine, other, base, changedByMe: region.i > i, changedByOther: region.j > j, line: oursAt + 1 })
    oursAt += mine.length
    baseAt = region.end
    i = region.i
    j = region.j
  }
  merged.pieces.push(a.slice(oursAt))
  return merged
}

type Region = { start: number; end: number; i: number; j: number }

/** The next run of base lines that one or both sides changed, extended until no hunk touches its ends. */
function nextRegion(left: Hunk[], right: Hunk[], i: number, j: number): Region {
  const start = Math.min(left[i]?.aStart ?? Number.POSITIVE_INFINITY, right[j]?.aStart ?? Number.POSITIVE_INFINITY)
  const region = { start, end: start, i, j }
  for (let grown = true; grown; ) {
    grown = false
    const mine = left[region.i]
    if (mine !== undefined && mine.aStart <= region.end) {
      region.end = Math.max(region.end, mine.aEnd)
      region.i++
      grown = true
    }
    const other = right[region.j]
    if (other !== undefined && other.aStart <= region.end) {
      region.end = Math.max(region.end, other.aEnd)
      region.j++
      grown = true
    }
  }
  return region
}

/** By how much a side's line numbers differ from base's before its hunk `index`. */
function shift(hunks: Hunk[], index: number): number {
  const before = hunks[index - 1]
  return before === undefined ? 0 : before.bEnd - before.aEnd
}

function sideText(lines: string[], hunks: Hunk[], region: Region, start: number): string[] {
  let length = region.end - region.start
  for (const hunk of hunks) length += hunk.bEnd - hunk.bStart - (hunk.aEnd - hunk.aStart)
  return lines.slice(start, start + length)
}

type Sides = {
  mine: string[]
  other: string[]
  base: () => string[]
  changedByMe: boolean
  changedByOther: boolean
  line: number
}

function add(merged: Merged, { mine, other, base, changedByMe, changedByOther, line }: Sides): void {
  if (!changedByOther || mine.join("") === other.join("")) merged.pieces.push(mine)
  else if (!changedByMe) merged.pieces.push(other)
  else {
    const clash: Clash = { line, ours: mine, base: base(), theirs: other }
    merged.pieces.push(clash)
    merged.clashes.push(clash)
  }
}

/** The merged bytes, with each clash settled as `how` says. */
export function settle(merged: Merged, how: "theirs" | "ours" | "write-conflicts"): Buffer {
  const parts = merged.pieces.map((piece) => {
    if (Array.isArray(piece)) return piece
    if (how === "theirs") return piece.theirs
    if (how === "ours") return piece.ours
    return ["<<<<<<< now\n", ...ended(piece.ours), "=======\n", ...ended(piece.theirs), ">>>>>>> then\n"]
  })
  return joinLines(parts.flat())
}

function ended(lines: string[]): string[] {
  const last = lines.at(-1)
  return last === undefined || last.endsWith("\n") ? lines : [...lines.slice(0, -1), `${last}\n`]
}
