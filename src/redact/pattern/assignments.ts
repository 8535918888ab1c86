// Secrets recognised by the name they are assigned to: `DB_PASSWORD=…`, `"apiKey": "…"`, `?access_token=…`.
import { isNamedSecret } from "../value/named-secret.ts"
import { isSecretName } from "../value/secret-name.ts"
import { type Alphabet, alphabet, runEnds, TOKEN } from "./alphabet.ts"
import type { SecretSpan } from "./span.ts"

const LONGEST_NAME = 64
const MOST_BLANKS = 4
const SIGN = alphabet(/[=:]/)
const QUOTE = alphabet(/["'`]/)
const BLANK = alphabet(/[ \t]/)
const UNQUOTED = alphabet(/[\w.~+/=:!@#%^*-]/)
/** Quoted texts, by their quote. A backslash ends one too: then the quotes themselves are inside quotes. */
const QUOTED: Readonly<Record<string, Alphabet>> = {
  '"': alphabet(/[^"\\\n]/),
  "'": alphabet(/[^'\\\n]/),
  "`": alphabet(/[^`\\\n]/),
}

export function* assignments(text: string): Generator<SecretSpan> {
  const runEnd = runEnds(text)
  let done = 0
  for (let sign = 0; sign < text.length; sign++) {
    if (sign < done || !SIGN(text.charCodeAt(sign))) continue
    const name = nameBefore(text, sign)
    if (name === undefined || !isSecretName(name.text)) continue
    const { from, of, spaced } = valueAfter(text, sign + 1)
    // Unquoted values only in the form of a shell, a .env file or a URL.
    if (of === UNQUOTED && (text[sign] === ":" || name.spaced || spaced)) continue
    const to = runEnd(of, from)
    const value = text.slice(from, to)
    if (!isNamedSecret(name.text, value)) continue
    done = to
    yield { from, to, kind: `value of ${name.text}`, value }
  }
}

function nameBefore(text: string, sign: number): { text: string; spaced: boolean } | undefined {
  let to = sign
  while (to > sign - MOST_BLANKS && BLANK(text.charCodeAt(to - 1))) to--
  const spaced = to < sign
  if (QUOTE(text.charCodeAt(to - 1))) to--
  if (text[to - 1] === "\\") to--
  let from = to
  while (from > to - LONGEST_NAME && TOKEN(text.charCodeAt(from - 1))) from--
  const name = text.slice(from, to).replace(/^-{1,2}/, "")
  return name === "" ? undefined : { text: name, spaced }
}

function valueAfter(text: string, sign: number): { from: number; of: Alphabet; spaced: boolean } {
  let from = sign
  while (from < sign + MOST_BLANKS && BLANK(text.charCodeAt(from))) from++
  const spaced = from > sign
  if (text[from] === "\\" && QUOTE(text.charCodeAt(from + 1))) from++
  const quoted = QUOTED[text[from] ?? ""]
  return { from: quoted === undefined ? from : from + 1, of: quoted ?? UNQUOTED, spaced }
}
