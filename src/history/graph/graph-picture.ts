// The lanes of one line of the graph, as characters.
import { unreachable } from "../../model/unreachable.ts"
import type { GraphLine } from "./graph.ts"

export const MARKS = { head: "●", round: "○", left: "◇" } as const

/** Everything to the left of the text. Readable without colours: the head is the filled mark. */
export function picture(line: GraphLine): string {
  switch (line.type) {
    case "stretch":
      return `${bars(line.lane, line.started)}${markOf(line)}`
    case "join":
      return `${bars(line.lane - 1, line.started)}${corner(line.lane - 1, line.started)}─╯`
    case "folded":
    case "others":
      return `${bars(line.lane, line.started)}${corner(line.lane, line.started)}─╴`
    case "start":
      return line.head ? MARKS.head : MARKS.round
    case "rest":
      return "⋮"
    default:
      return unreachable(line)
  }
}

function bars(lanes: number, started: boolean): string {
  return lanes === 0 ? "" : `${started ? "│" : " "} ${"│ ".repeat(lanes - 1)}`
}

/** Nothing is above the head in its own lane. */
function corner(lane: number, started: boolean): string {
  return lane > 0 || started ? "├" : "╭"
}

function markOf(line: Extract<GraphLine, { type: "stretch" }>): string {
  if (line.head) return MARKS.head
  return line.stretch.starts === "note" || line.stretch.starts === "compaction" ? MARKS.left : MARKS.round
}
