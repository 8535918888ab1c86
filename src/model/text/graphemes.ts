// What a reader takes for one character. The tables it needs take longer to load than a short command runs, so they are
// loaded when a text first needs them.

let segmenter: Intl.Segmenter | undefined

export function graphemesOf(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return segmenter.segment(text)
}
