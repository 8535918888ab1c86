// All secrets that a text reveals by itself.
import { isNamedSecret } from "../value/named-secret.ts"
import { isPlaceholder } from "../value/placeholder.ts"
import { isSecretName } from "../value/secret-name.ts"
import { type Alphabet, alphabet, BASE64, runEnds, TOKEN } from "./alphabet.ts"
import { tokens } from "./secret-tokens.ts"
import type { SecretSpan } from "./span.ts"

/**
 * Contract: takes time in proportion to the text, whatever it contains. The most specific kind of a secret comes first.
 */
export function findPatterns(text: string): SecretSpan[] {
  const found = [...privateKeys(text), ...tokens(text), ...webTokens(text)]
  const ids = found.filter(({ kind }) => kind === "AWS access key").sort((a, b) => a.from - b.from)
  return [...found, ...awsSecrets(text, ids), ...urlPasswords(text), ...headers(text), ...assignments(text)]
}

const SHORTEST_PART = 8

/** JSON web tokens: two or three base64 parts, of which the first two begin with `{"`. */
function* webTokens(text: string): Generator<SecretSpan> {
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

/** What ends the part of a URL that can contain a name and a password. */
const OVER = /[\s/?#"'`<>\\]/g
const KIND = "password in a URL"
const LONG_NAME = /^(?=.*\d)(?=.*[A-Za-z])[\w-]{20,}$/

/** Passwords in URLs: `https://name:PASSWORD@host`, and tokens in place of the name. */
function* urlPasswords(text: string): Generator<SecretSpan> {
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

const LENGTH = 40
const NEAR = 200
const MIXED = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)/

/**
 * The secret half of an AWS key: 40 characters that reveal nothing by themselves, near the half that does. Contract:
 * `ids` are the AWS key ids in this text, in ascending order. Each part of the text is examined once.
 */
function* awsSecrets(text: string, ids: readonly SecretSpan[]): Generator<SecretSpan> {
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

/** Secrets recognised by the name they are assigned to: `DB_PASSWORD=…`, `"apiKey": "…"`, `?access_token=…`. */
function* assignments(text: string): Generator<SecretSpan> {
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

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const END = "-----END"
const CLOSE = /[^-]{0,60}-----/y
/** Without such a line, the text merely mentions keys. */
const LINE = /[A-Za-z0-9+/]{32}/
/** Longer than any key: an end further away belongs to something else. */
const LONGEST = 64 * 1024

/** Private keys in PEM form, also on one line, in JSON, or without their end. */
function* privateKeys(text: string): Generator<SecretSpan> {
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

const HEADER_KIND = "authorization header"
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

/** Secrets in request headers: `Authorization: Bearer …`, `x-api-key: …`. */
function* headers(text: string): Generator<SecretSpan> {
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
      yield { from, to, kind: HEADER_KIND, value: text.slice(from, to) }
  }
}
