// The few colours, by meaning. Everything is readable without them, too.
import pc from "picocolors"
import type { Output } from "../port/cli.ts"

export type Paint = (text: string) => string

export interface Style {
  /** What can be typed after `goto`. */
  id: Paint
  /** Where we are. */
  head: Paint
  label: Paint
  person: Paint
  agent: Paint
  /** A note, a compaction: what a move left behind. */
  mark: Paint
  match: Paint
  good: Paint
  bad: Paint
  strong: Paint
  /** What may be overlooked. */
  quiet: Paint
}

export function styleFor(output: Pick<Output, "colours">): Style {
  const { cyan, green, yellow, magenta, blue, red, bold, dim, inverse } = pc.createColors(output.colours)
  return {
    id: cyan,
    head: (text) => bold(green(text)),
    label: yellow,
    person: (text) => bold(blue(text)),
    agent: (text) => bold(magenta(text)),
    mark: magenta,
    match: (text) => bold(inverse(text)),
    good: green,
    bad: red,
    strong: bold,
    quiet: dim,
  }
}
