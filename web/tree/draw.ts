// Draws the graph of a tree as lines: on the page, or in a worker if the tree is long.
import { type GraphLine, type GraphTree, graph } from "../../src/history/graph/graph.ts"
import type { Row } from "../../src/history/tree/tree.ts"
import { branchColours, type DrawnLine, makeLanes } from "./lanes.ts"

export interface DrawRequest {
  head: Row
  show: "path" | "all"
  limit: number
  /** Entries that end their own line, such as those with a label. */
  stops: readonly Row[]
  /** Branches that are not drawn, by their first entry. */
  folded: readonly Row[]
}

export interface Drawing {
  lines: DrawnLine[]
  /** The largest number of lanes in a line. */
  lanes: number
}

const MOST_LANES = 8
const MOST_FOLDED = 6

export function draw(tree: GraphTree, { head, show, limit, stops, folded }: DrawRequest): Drawing {
  const [stopped, hidden] = [new Set(stops), new Set(folded)]
  const all: GraphLine[] = [
    ...graph(tree, head, {
      show,
      limit,
      lanes: MOST_LANES,
      folded: MOST_FOLDED,
      stops: (row) => stopped.has(row),
      isFolded: (first) => hidden.has(first),
    }),
  ]
  const picture = makeLanes(branchColours(all))
  const lines = all.map((line, index) => picture(line, index === all.length - 1))
  const lanes = lines.reduce((most, { line }) => Math.max(most, "lane" in line ? line.lane + 1 : 1), 1)
  return { lines, lanes }
}
