// The few colours, by meaning: from the terminal's sixteen, so that both light and dark themes are readable.
import pc from "picocolors"

export type Painter = (text: string) => string

export interface Theme {
  colours: boolean
  /** What the person typed. */
  person: Painter
  /** Headings, names of tools. */
  strong: Painter
  /** What matters less: reasoning, output, what was left behind. */
  quiet: Painter
  /** What can be typed or pressed. */
  key: Painter
  good: Painter
  bad: Painter
  /** What deserves attention: a backtrack, an approval, a compaction. */
  warning: Painter
  /** Where we are; what is chosen. */
  head: Painter
  label: Painter
  /** A note, a compaction: what a move left behind. */
  mark: Painter
  /** The line the cursor of a list is on. */
  chosen: Painter
  code: Painter
  italic: Painter
  underline: Painter
  strike: Painter
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
