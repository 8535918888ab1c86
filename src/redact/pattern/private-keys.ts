// Private keys in PEM form, also on one line, in JSON, or without their end.
import { BASE64 } from "./alphabet.ts"
import type { SecretSpan } from "./span.ts"

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const END = "-----END"
const CLOSE = /[^-]{0,60}-----/y
/** Without such a line, the text merely mentions keys. */
const LINE = /[A-Za-z0-9+/]{32}/
/** Longer than any key: an end further away belongs to something else. */
const LONGEST = 64 * 1024

export function* privateKeys(text: string): Generator<SecretSpan> {
  const begins = [...text.matchAll(BEGIN)]
  let end = 0
  for (const [index, begin] of begins.entries()) {
    const from = begin.index
    const body = from + begin[0].length
    if (end >= 0 && end < body) end = text.indexOf(END, body)
    const next = begins[index + 1]?.index ?? text.length
    const closed = end >= 0 && end < next && end - from < LONGEST && LINE.test(text.slice(body, end))
    const to = closed ? closeAt(text, end) : bodyEnd(text, body)
    if (to === body) continue
    yield { from, to, kind: "private key", value: text.slice(from, to) }
  }
}

function closeAt(text: string, end: number): number {
  CLOSE.lastIndex = end + END.length
  return CLOSE.test(text) ? CLOSE.lastIndex : end + END.length
}

/** What separates the lines of a key, in a file, in quotes, in JSON. */
const BETWEEN = /(?:\\[nrt]|[\s"',>|])/y
const SHORTEST_LINE = 16

/** The end of the last line that looks like part of a key. */
function bodyEnd(text: string, body: number): number {
  let to = body
  for (;;) {
    let at = to
    BETWEEN.lastIndex = at
    while (BETWEEN.test(text)) at = BETWEEN.lastIndex
    const start = at
    while (at < text.length && BASE64(text.charCodeAt(at))) at++
    if (at - start < SHORTEST_LINE) return to
    while (text[at] === "=") at++
    to = at
  }
}
