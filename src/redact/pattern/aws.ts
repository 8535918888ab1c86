// The secret half of an AWS key: 40 characters that reveal nothing by themselves, near the half that does.
import { BASE64, runEnds } from "./alphabet.ts"
import type { SecretSpan } from "./span.ts"

const LENGTH = 40
const NEAR = 200
const MIXED = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)/

/** Contract: `ids` are the AWS key ids in this text, in ascending order. Each part of the text is examined once. */
export function* awsSecrets(text: string, ids: readonly SecretSpan[]): Generator<SecretSpan> {
  const runEnd = runEnds(text)
  let at = 0
  for (const { from, to: end } of ids) {
    at = Math.max(at, from - NEAR)
    while (at > 0 && at < end && BASE64(text.charCodeAt(at - 1)) && BASE64(text.charCodeAt(at))) at++
    while (at < Math.min(end + NEAR, text.length)) {
      const to = runEnd(BASE64, at)
      const value = text.slice(at, to)
      if (to - at === LENGTH && MIXED.test(value)) yield { from: at, to, kind: "AWS secret key", value }
      at = Math.max(to, at + 1)
    }
  }
}
