// JSON web tokens: two or three base64 parts, of which the first two begin with `{"`.
import { runEnds, TOKEN } from "./alphabet.ts"
import type { SecretSpan } from "./span.ts"

const SHORTEST_PART = 8

export function* webTokens(text: string): Generator<SecretSpan> {
  const runEnd = runEnds(text)
  for (let dot = text.indexOf(".eyJ"); dot >= 0; dot = text.indexOf(".eyJ", dot + 1)) {
    let start = dot
    while (start > 0 && TOKEN(text.charCodeAt(start - 1))) start--
    const from = text.indexOf("eyJ", start)
    let to = runEnd(TOKEN, dot + 1)
    if (dot - from < SHORTEST_PART || to - dot <= SHORTEST_PART) continue
    if (text[to] === "." && runEnd(TOKEN, to + 1) > to + 1) to = runEnd(TOKEN, to + 1)
    yield { from, to, kind: "JSON web token", value: text.slice(from, to) }
  }
}
