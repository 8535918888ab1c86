// Finds what a text gives away by itself, and values that are known, however they are written.
import { findPatterns } from "./pattern/find.ts"
import { type SecretSpan, united } from "./pattern/span.ts"
import { automaton, type Writing } from "./value/automaton.ts"

/** A text in pieces that are shown apart: a secret may begin in one and end in another. */
export type Pieces = readonly string[]

/** Contract: spans of all pieces as one text, in order, none over another. */
export type Finder = (pieces: Pieces) => SecretSpan[]

export function makeFinder(values: ReadonlyMap<string, string>): Finder {
  const search = automaton([...values.keys()].flatMap(writings))
  const inOne = (text: string): SecretSpan[] => {
    const known: SecretSpan[] = []
    for (const { from, to, value } of search(text)) known.push({ from, to, value, kind: values.get(value) ?? "" })
    return [...findPatterns(text), ...known]
  }
  return (pieces) => {
    const all = inOne(pieces.join(""))
    // By themselves too: what follows in the next piece may hide that a word ends here.
    let start = 0
    for (const piece of pieces.length > 1 ? pieces : []) {
      for (const span of inOne(piece)) all.push({ ...span, from: span.from + start, to: span.to + start })
      start += piece.length
    }
    return united(all)
  }
}

/** As it is, in a JSON text, in a URL. */
function writings(value: string): Writing[] {
  const inJson = JSON.stringify(value).slice(1, -1)
  const inUrl = /\p{Surrogate}/u.test(value) ? value : encodeURIComponent(value)
  return [...new Set([value, inJson, inUrl])].map((text) => ({ text, value }))
}
