// The lines of a graph as pictures: which lanes pass, where a branch leaves, and in which colour.
import type { GraphLine } from "../../src/history/graph/graph.ts"

export interface LaneStroke {
  colour: number
  from: { lane: number; at: Height }
  to: { lane: number; at: Height }
}

type Height = "top" | "middle" | "bottom"

export interface DrawnLine {
  line: GraphLine
  strokes: LaneStroke[]
  /** The colour of the line's own lane. */
  colour: number
}

/** How many colours there are besides the path's own, 0. */
const COLOURS = 5

interface OpenLane {
  colour: number
  /** Whether something is above in this lane. */
  started: boolean
}

/**
 * A colour for each branch beside the path, in drawing order. It depends on the branch's first entry, so that a branch keeps its
 * colour while others come and go.
 */
export function branchColours(lines: readonly GraphLine[]): number[] {
  const colours: number[] = []
  const open: { branch: number; first: number }[] = []
  for (const line of lines) {
    if (line.type === "join") {
      const ended = open.pop()
      if (ended !== undefined) colours[ended.branch] = 1 + (ended.first % COLOURS)
    } else if (line.type === "stretch" && line.lane > 0) {
      while (open.length < line.lane) open.push({ branch: colours.push(1) - 1, first: 0 })
      const own = open.at(-1)
      if (own !== undefined) own.first = line.stretch.first
    }
  }
  return colours
}

/** Makes the picture of each line. Contract: called with the lines of one graph in drawing order, from the first. */
export function makeLanes(colours: readonly number[]): (line: GraphLine, isLast: boolean) => DrawnLine {
  const lanes: OpenLane[] = [{ colour: 0, started: false }]
  let branches = 0

  function lane(number: number): OpenLane {
    lanes[number] ??= { colour: colours[branches++] ?? 1, started: false }
    return lanes[number]
  }

  function passing(below: number): LaneStroke[] {
    return lanes.slice(0, below).flatMap(({ colour, started }, number) => (started ? [whole(number, colour)] : []))
  }

  return (line, isLast) => {
    if (line.type === "rest") return { line, strokes: lanes[0]?.started ? [half(0, 0, "top")] : [], colour: 0 }
    if (line.type === "start") return { line, strokes: lanes[0]?.started ? [half(0, 0, "top")] : [], colour: 0 }
    if (line.type === "join") {
      const { colour } = lane(line.lane)
      lanes.length = line.lane
      const below = lane(line.lane - 1)
      const strokes = [...passing(line.lane), leave(line.lane, colour)]
      below.started = true
      return { line, strokes, colour }
    }
    const own = lane(line.lane)
    const strokes = [...passing(line.lane), ...(own.started ? [half(line.lane, own.colour, "top")] : [])]
    if (!isLast) strokes.push(half(line.lane, own.colour, "bottom"))
    own.started = true
    return { line, strokes, colour: own.colour }
  }
}

function whole(lane: number, colour: number): LaneStroke {
  return { colour, from: { lane, at: "top" }, to: { lane, at: "bottom" } }
}

function half(lane: number, colour: number, end: "top" | "bottom"): LaneStroke {
  const edge = { lane, at: end }
  const middle = { lane, at: "middle" as const }
  return end === "top" ? { colour, from: edge, to: middle } : { colour, from: middle, to: edge }
}

function leave(lane: number, colour: number): LaneStroke {
  return { colour, from: { lane, at: "top" }, to: { lane: lane - 1, at: "bottom" } }
}
