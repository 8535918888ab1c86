// Finds secrets that a text reveals by itself, and known values, however they are written.
import { findPatterns } from "./pattern/find.ts"
import { type SecretSpan, united } from "./pattern/span.ts"

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

interface Node {
  next: Map<number, Node>
  /** Where to continue if no letter matches: the longest suffix of this that is a prefix of a value. */
  fallback: Node | undefined
  /** The longest value that ends here. */
  ends: Writing | undefined
}

/** A form in which a text may contain a value. */
interface Writing {
  text: string
  /** The value it stands for. */
  value: string
}

interface ValueMatch {
  from: number
  to: number
  value: string
}

/** Finds many values in a text in one pass, however many there are (Aho and Corasick, 1975). */
function automaton(values: readonly Writing[]): (text: string) => Generator<ValueMatch> {
  const root: Node = { next: new Map(), fallback: undefined, ends: undefined }
  for (const value of values) if (value.text !== "") add(root, value)
  connect(root)
  return (text) => matches(root, text)
}

function add(root: Node, value: Writing): void {
  let node = root
  for (let i = 0; i < value.text.length; i++) {
    const code = value.text.charCodeAt(i)
    const known = node.next.get(code)
    const next = known ?? { next: new Map(), fallback: root, ends: undefined }
    if (known === undefined) node.next.set(code, next)
    node = next
  }
  node.ends ??= value
}

/** Level by level, so that a node's fallback is connected before it. */
function connect(root: Node): void {
  const waiting = [...root.next.values()]
  for (const node of waiting) {
    for (const [code, child] of node.next) {
      let fallback = node.fallback
      while (fallback !== undefined && !fallback.next.has(code)) fallback = fallback.fallback
      child.fallback = fallback?.next.get(code) ?? root
      child.ends ??= child.fallback.ends
      waiting.push(child)
    }
  }
}

function* matches(root: Node, text: string): Generator<ValueMatch> {
  if (root.next.size === 0) return
  let node = root
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    let next = node.next.get(code)
    while (next === undefined && node.fallback !== undefined) {
      node = node.fallback
      next = node.next.get(code)
    }
    node = next ?? root
    if (node.ends !== undefined) yield { from: at + 1 - node.ends.text.length, to: at + 1, value: node.ends.value }
  }
}
