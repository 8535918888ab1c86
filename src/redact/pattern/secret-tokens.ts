// Finds tokens by their prefix.
import { type Alphabet, BASE64, runEnds, TOKEN } from "./alphabet.ts"
import { PREFIX_TABLE, type TokenLimits } from "./prefix-data.ts"
import type { SecretSpan } from "./span.ts"

/** Tokens whose prefix shows whose they are. Longer prefixes first: of two that match, the more specific one. */
const PREFIXES: readonly PrefixRule[] = PREFIX_TABLE.flatMap(([kind, of, least, prefixes, limits]) =>
  prefixes.split(" ").map((prefix): PrefixRule => {
    const { most = Number.POSITIVE_INFINITY, begins = "anywhere" } = limits ?? {}
    return { prefix, kind, of, least, most, begins }
  }),
).sort((a, b) => b.prefix.length - a.prefix.length)
const RULES = new Map(PREFIXES.map((rule) => [rule.prefix, rule]))
const ANY = new RegExp(PREFIXES.map(({ prefix }) => prefix.replace(/\./g, "\\.")).join("|"), "g")

export function* tokens(text: string): Generator<SecretSpan> {
  const runEnd = runEnds(text)
  const trimmed = trimmedEnds(text)
  for (let next = 0; ; ) {
    ANY.lastIndex = next
    const found = ANY.exec(text)
    if (found === null) return
    const from = found.index
    // A token may begin within the prefix of another.
    next = from + 1
    const rule = RULES.get(found[0]) as PrefixRule
    const start = from + rule.prefix.length
    const end = Math.min(runEnd(rule.of, start), start + rule.most)
    if (end - start < rule.least || !mayBegin(text, from, rule)) continue
    const to = trimmed(end)
    if (to - start < rule.least) continue
    yield { from, to, kind: rule.kind, value: text.slice(from, to) }
  }
}

/** A full stop or a hyphen after a token is not part of it. */
function trimmedEnds(text: string): (end: number) => number {
  let last = { end: 0, to: 0 }
  return (end) => {
    if (end === last.end) return last.to
    let to = end
    while (text[to - 1] === "." || text[to - 1] === "-") to--
    last = { end, to }
    return to
  }
}

/** Only an image, or other encoded data, has this many characters before the match. */
const LONG_RUN = 32

function mayBegin(text: string, at: number, { begins }: PrefixRule): boolean {
  if (begins === "anywhere" || at === 0) return true
  if (begins === "word") return beginsWord(text, at)
  for (let before = at - 1; before >= at - LONG_RUN; before--) {
    const code = text.charCodeAt(before)
    if (!(BASE64(code) || TOKEN(code))) return true
  }
  return false
}

/** Also after an escaped line break in JSON: `\nsk-…`. */
export function beginsWord(text: string, at: number): boolean {
  return !TOKEN(text.charCodeAt(at - 1)) || /\\[nrt]$/.test(text.slice(Math.max(0, at - 2), at))
}

interface PrefixRule extends TokenLimits {
  prefix: string
  kind: string
  of: Alphabet
  least: number
}
