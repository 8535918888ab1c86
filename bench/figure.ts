// A measurement: our figure, its raw floor from the same run, and what the ratio may be.

export type Unit = "µs" | "ms" | "MB" | "tokens"

export interface Figure {
  figure: string
  /** What it was measured on. */
  data: string
  ours: number
  floor: number
  unit: Unit
  /** How many times the floor it may be; absent: it is only shown. */
  limit?: number
  /** The ratio that was aimed at, where only more complicated code would reach it: docs/decisions/0025-limits.md. */
  goal?: number
  /** What it must stay below, in its unit, instead of a ratio. */
  under?: number
  /** The very first sample in a fresh process, before anything was compiled. Only shown. */
  first?: number
  /** The best sample of each. Only shown. */
  best?: { ours: number; floor: number }
}

export type Verdict = "ok" | "over" | "–"

export function ratioOf({ ours, floor }: Figure): number {
  return ours / floor
}

export function verdictOn(figure: Figure): Verdict {
  if (figure.limit !== undefined) return ratioOf(figure) <= figure.limit ? "ok" : "over"
  if (figure.under !== undefined) return figure.ours < figure.under ? "ok" : "over"
  return "–"
}
