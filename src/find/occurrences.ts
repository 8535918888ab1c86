// Where the terms of a query are in a text: what scan.ts finds in its bytes.
import { WHO } from "../model/line-marks.ts"
import { textPattern } from "./pattern.ts"
import type { Term } from "./query.ts"
import { HARD, isCjk, SOFT } from "./word-edges.ts"

export interface Occurrence {
  from: number
  to: number
  /** The number of the term. */
  term: number
}

/** In each text, no more than this many of a term. */
const MOST = 500
const EVERYBODY = (1 << WHO.length) - 1

/**
 * In order. `where`: who or what said the text. `inside`: within words too.
 */
export function occurrences(text: string, terms: readonly Term[], where: string, inside = false): Occurrence[] {
  const found: Occurrence[] = []
  const who = WHO.findIndex((each) => each === where)
  for (const [number, term] of terms.entries()) {
    const said = who === -1 ? (where === "title" ? EVERYBODY : 1 << (WHO.length - 1)) : 1 << who
    if ((term.who & said) !== said) continue
    const words = term.forms.length === 0 ? [term.text] : [...term.forms].sort((a, b) => b.length - a.length)
    const source = words.map((word) => textPattern(word)).join("|")
    const pattern = new RegExp(source, term.cases === "any" ? "giu" : "gu")
    let count = 0
    for (let match = pattern.exec(text); match !== null && count < MOST; match = pattern.exec(text)) {
      const from = match.index
      const to = from + match[0].length
      if (to === from) break
      if (isWord(text, from, to, term) || (inside && isItself(match[0], term))) {
        found.push({ from, to, term: number })
        count++
      } else pattern.lastIndex = from + 1
    }
  }
  return found.sort((a, b) => a.from - b.from || b.to - a.to)
}

function isItself(text: string, term: Term): boolean {
  return text.toLowerCase().includes(term.text.toLowerCase())
}

function isWord(text: string, from: number, to: number, { kind, text: wanted, cases }: Term): boolean {
  if (kind === "phrase") return true
  const first = wanted.codePointAt(0) ?? 0
  const start = !isWordCode(first) || isCjk(first) ? HARD : before(text, from)
  if (start === 0 || kind === "prefix") return start !== 0
  const last = wanted.charCodeAt(wanted.length - 1)
  const end = !(isWordCode(last) || isLow(last)) || isCjk(last) ? HARD : after(text, to)
  if (end === 0 || (start === HARD && end === HARD)) return end !== 0
  return cases === "same" || !/[a-z][A-Z]/.test(text.slice(from, to))
}

const WORD = /[\p{L}\p{N}\p{M}]/u

function isWordCode(code: number): boolean {
  return WORD.test(String.fromCodePoint(code))
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

function before(text: string, at: number): number {
  if (at === 0) return HARD
  const code = text.charCodeAt(at - 1)
  if (code === 95) return SOFT
  // Such as mathematical letters: in bytes they are no letters either.
  if (isLow(code) || !isWordCode(code) || isCjk(code)) return HARD
  // JSON in JSON: an escaped line break, or a mark.
  if (/\\[nrt]$/.test(text.slice(Math.max(0, at - 2), at))) return HARD
  const escape = /\\u([0-9a-fA-F]{4})$/.exec(text.slice(Math.max(0, at - 6), at))
  if (escape !== null) return isWordCode(Number.parseInt(escape[1] ?? "", 16)) ? 0 : HARD
  return /[A-Z]/.test(text[at] ?? "") && /[a-z]/.test(text[at - 1] ?? "") ? SOFT : 0
}

function after(text: string, end: number): number {
  if (end >= text.length) return HARD
  const code = text.charCodeAt(end)
  if (code === 95) return SOFT
  if (code >= 0xd800 && code <= 0xdbff) return HARD
  const escape = /^\\u([0-9a-fA-F]{4})/.exec(text.slice(end, end + 6))
  if (escape !== null) return isWordCode(Number.parseInt(escape[1] ?? "", 16)) ? 0 : HARD
  if (!isWordCode(code) || isCjk(code)) return HARD
  return /[A-Z]/.test(text[end] ?? "") && /[a-z]/.test(text[end - 1] ?? "") ? SOFT : 0
}

/** Characters of an excerpt: what a line of a terminal shows. */
const WIDTH = 160
const BEFORE = 40

export interface Excerpt {
  /** One line; an ellipsis where it was cut. */
  text: string
  /** Where the terms are in it. */
  marks: [number, number][]
  /** Bits of the terms in it. */
  mask: number
}

/** The part of a text in which most terms are. */
export function excerpt(text: string, found: readonly Occurrence[], width = WIDTH): Excerpt {
  let best = 0
  let most = -1
  for (let at = 0; at < found.length; at++) {
    const start = found[at]?.from ?? 0
    const terms = new Set<number>()
    let count = 0
    for (let next = at; next < found.length && (found[next]?.to ?? 0) <= start + width - BEFORE; next++) {
      terms.add(found[next]?.term ?? 0)
      count++
    }
    const value = terms.size * 1000 + count
    if (value > most) [best, most] = [at, value]
  }
  const first = found[best]?.from ?? 0
  let from = text.length <= width ? 0 : Math.max(0, Math.min(first - BEFORE, text.length - width))
  let to = Math.min(text.length, Math.max(from + width, found[best]?.to ?? 0))
  if (from > 0 && isLow(text.charCodeAt(from))) from++
  if (to < text.length && isLow(text.charCodeAt(to))) to--
  return oneLine(text, from, to, found)
}

function oneLine(text: string, from: number, to: number, found: readonly Occurrence[]): Excerpt {
  let line = from > 0 ? "…" : ""
  const marks: [number, number][] = []
  let mask = 0
  let at = from
  const add = (end: number) => {
    const piece = text.slice(at, end).replaceAll(/\s+/g, " ")
    line += line === "" || line.endsWith(" ") ? piece.trimStart() : piece
    at = end
  }
  for (const occurrence of found) {
    mask |= 1 << occurrence.term
    if (occurrence.from < at || occurrence.to > to) continue
    add(occurrence.from)
    const start = line.length
    add(occurrence.to)
    marks.push([start, line.length])
  }
  add(to)
  return { text: `${line.trimEnd()}${to < text.length ? "…" : ""}`, marks, mask }
}
