// Finds secrets that a text reveals by itself, and known values, however they are written.
import { findPatterns } from "./pattern/find.ts"
import { type SecretSpan, united } from "./pattern/span.ts"
import { automaton, type Writing } from "./value/automaton.ts"

/** A text in pieces that are shown separately: a secret may begin in one and end in another. */
export type Pieces = readonly string[]

/** Contract: spans of all pieces as one text, in order, without overlap. */
export type Finder = (pieces: Pieces) => SecretSpan[]

export function makeFinder(values: ReadonlyMap<string, string>): Finder {
  const search = automaton([...values.keys()].flatMap(writings))
  const inOne = (text: string): SecretSpan[] => {
    const known: SecretSpan[] = []
    let done = 0
    for (const { from, to, value } of search(text)) {
      // A match inside a value that was followed to its end is not followed again: hostile text costs no more.
      const end = from < done ? to : followed(text, from, to, value)
      done = Math.max(done, end)
      known.push({ from, to: end, value, kind: values.get(value) ?? "" })
    }
    return [...findPatterns(text), ...known]
  }
  return (pieces) => {
    const all = inOne(pieces.join(""))
    // Also each piece by itself: the next piece may hide that a word ends here.
    let start = 0
    for (const piece of pieces.length > 1 ? pieces : []) {
      for (const span of inOne(piece)) all.push({ ...span, from: span.from + start, to: span.to + start })
      start += piece.length
    }
    return united(all)
  }
}

/** Where the text stops matching the value, which may have been cut short. */
function followed(text: string, from: number, to: number, value: string): number {
  if (!text.startsWith(value.slice(0, to - from), from)) return to
  let end = to
  while (end < text.length && end - from < value.length && text[end] === value[end - from]) end++
  return end
}

const SHORTEST_HALF = 12
const LOOKS_MADE = /^(?=.*\d)(?=.*[A-Za-z])/s

/** The value itself, in JSON, in a URL; and the first half of a long one, as it remains where a text was cut. */
function writings(value: string): Writing[] {
  const half = value.slice(0, Math.ceil(value.length / 2))
  const inJson = JSON.stringify(value).slice(1, -1)
  const inUrl = /\p{Surrogate}/u.test(value) ? value : encodeURIComponent(value)
  const cut = half.length >= SHORTEST_HALF && LOOKS_MADE.test(half) ? [half] : []
  return [...new Set([value, inJson, inUrl, ...cut])].map((text) => ({ text, value }))
}
