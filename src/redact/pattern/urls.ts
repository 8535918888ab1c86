// Passwords in URLs: `https://name:PASSWORD@host`, and tokens in place of the name.
import { isPlaceholder } from "../value/placeholder.ts"
import type { SecretSpan } from "./span.ts"

/** What ends the part of a URL that can contain a name and a password. */
const OVER = /[\s/?#"'`<>\\]/g
const KIND = "password in a URL"
const LONG_NAME = /^(?=.*\d)(?=.*[A-Za-z])[\w-]{20,}$/

export function* urlPasswords(text: string): Generator<SecretSpan> {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 1)) {
    const start = at + 3
    OVER.lastIndex = start
    const over = OVER.exec(text)?.index ?? text.length
    const host = text.slice(start, over).lastIndexOf("@")
    if (host < 0) continue
    const [name = "", ...rest] = text.slice(start, start + host).split(":")
    const password = rest.join(":")
    if (rest.length === 0 && LONG_NAME.test(name)) yield span(text, start, start + host)
    else if (!isPlaceholder(password)) yield span(text, start + name.length + 1, start + host)
  }
}

function span(text: string, from: number, to: number): SecretSpan {
  return { from, to, kind: KIND, value: text.slice(from, to) }
}
