// Secrets in request headers: `Authorization: Bearer …`, `x-api-key: …`.
import { isPlaceholder } from "../value/placeholder.ts"
import { alphabet, runEnds } from "./alphabet.ts"
import type { SecretSpan } from "./span.ts"

const KIND = "authorization header"
const TO_VALUE = String.raw`["'\\]{0,3}[ \t]{0,4}[:=][ \t]{0,4}["'\x60\\]{0,3}`
const HEADER = new RegExp(
  String.raw`authorization${TO_VALUE}(?:(?:bearer|basic|token|digest|apikey|api-key)\s{1,4})?` +
    `|(?:api-key|x-auth-token|x-access-token|private-token|job-token|x-vault-token)${TO_VALUE}`,
  "gi",
)
/** Without its header, the value must look like a token. */
const BEARER = /bearer\s{1,4}/gi
const LONG_WITH_DIGIT = /^(?=.*\d)(?=.*[A-Za-z]).{16,}$/
const SHORTEST = 8
const VALUE = alphabet(/[\w.~+/=:!%^*-]/)

export function* headers(text: string): Generator<SecretSpan> {
  const isSecret = (head: string) => head.length >= SHORTEST && !isPlaceholder(head)
  yield* after(text, HEADER, isSecret)
  yield* after(text, BEARER, (head) => LONG_WITH_DIGIT.test(head))
}

/** This much of a value shows what it is. */
const HEAD = 128

function* after(text: string, introduction: RegExp, isSecret: (head: string) => boolean): Generator<SecretSpan> {
  const runEnd = runEnds(text)
  for (const found of text.matchAll(introduction)) {
    const from = found.index + found[0].length
    const to = runEnd(VALUE, from)
    if (isSecret(text.slice(from, Math.min(to, from + HEAD))))
      yield { from, to, kind: KIND, value: text.slice(from, to) }
  }
}
