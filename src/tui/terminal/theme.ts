// The few colours there are, by what they mean. The sixteen of the terminal, so that light and dark both read.
import pc from "picocolors"

export type Paint = (text: string) => string

export interface Theme {
  colours: boolean
  /** What the person typed. */
  person: Paint
  /** Headings, names of tools. */
  strong: Paint
  /** What may be overlooked: reasoning, output, what was left. */
  quiet: Paint
  /** What can be typed or pressed. */
  key: Paint
  good: Paint
  bad: Paint
  /** What deserves a look: a backtrack, an approval, a compaction. */
  warning: Paint
  /** Where we are; what is chosen. */
  head: Paint
  label: Paint
  /** A note, a compaction: what a move left behind. */
  mark: Paint
  /** The line the cursor of a list is on. */
  chosen: Paint
  code: Paint
  italic: Paint
  underline: Paint
  strike: Paint
}

export function makeTheme({ colours }: { colours: boolean }): Theme {
  const { cyan, green, yellow, magenta, blue, red, bold, dim, inverse, italic, underline, strikethrough } =
    pc.createColors(colours)
  return {
    colours,
    person: (text) => bold(blue(text)),
    strong: bold,
    quiet: dim,
    key: cyan,
    good: green,
    bad: red,
    warning: yellow,
    head: (text) => bold(green(text)),
    label: yellow,
    mark: magenta,
    chosen: inverse,
    code: cyan,
    italic,
    underline,
    strike: strikethrough,
  }
}
