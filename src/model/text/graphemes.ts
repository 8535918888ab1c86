// Splits text into what a reader takes for one character. The tables for this load more slowly than a short command
// runs, so they are loaded when a text first needs them.

let segmenter: Intl.Segmenter | undefined

export function graphemesOf(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return segmenter.segment(text)
}
