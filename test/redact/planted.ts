// Secrets as their makers write them, made up at random.
import * as fc from "fast-check"
import { knownSecrets, NOTHING_KNOWN } from "../../src/redact/known.ts"
import { makeRedactor, type Redactor } from "../../src/redact/redactor.ts"
import { makeSecretSurvey } from "../../src/redact/secret-survey.ts"

const ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** So many characters of these. */
export const some = (characters: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...characters.split("")), minLength: length, maxLength: length })

const after = (prefix: string, characters: string, length: number) =>
  some(characters, length).map((rest) => `${prefix}${rest}`)

const word = some(ALNUM, 22).map((rest) => `a1${rest}`)

/** With no character before or after it that could be its own. */
export interface Planted {
  kind: string
  /** What stands in the text. */
  text: string
  /** What must not. */
  secret: string
}

const whole = (kind: string, made: fc.Arbitrary<string>) => made.map((text): Planted => ({ kind, text, secret: text }))

const pem = fc.array(some(`${ALNUM}+/`, 64), { minLength: 2, maxLength: 5 }).map((lines) => {
  const body = lines.join("\n")
  return {
    kind: "private key",
    text: `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`,
    secret: body,
  }
})

/** By themselves: they are found in any text, also in the middle of a word. */
export const selfTelling: fc.Arbitrary<Planted> = fc.oneof(
  whole(
    "Anthropic key",
    after("sk-ant-api03-", `${ALNUM}_-`, 90).map((key) => `${key}AA`),
  ),
  whole(
    "OpenAI key",
    after("sk-proj-", `${ALNUM}_-`, 60).map((key) => `${key}A`),
  ),
  whole("GitHub token", after("ghp_", ALNUM, 36)),
  whole("GitHub token", after("github_pat_", `${ALNUM}_`, 82)),
  whole(
    "GitLab token",
    after("glpat-", `${ALNUM}_-`, 19).map((key) => `${key}x`),
  ),
  whole("Slack token", after("xoxb-123456789012-", ALNUM, 24)),
  whole("Stripe key", after("sk_live_", ALNUM, 24)),
  whole("AWS access key", after("AKIA", BASE32, 16)),
  whole("npm token", after("npm_", ALNUM, 36)),
  whole(
    "PyPI token",
    after("pypi-AgEIcHlwaS5vcmc", `${ALNUM}_-`, 80).map((key) => `${key}A`),
  ),
  whole(
    "JSON web token",
    fc.tuple(some(ALNUM, 20), some(ALNUM, 30), some(ALNUM, 43)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
  ),
  pem,
)

/** By what stands before them, or around them. */
export const inPlace: fc.Arbitrary<Planted> = fc.oneof(
  word.map((secret) => ({ kind: "authorization header", text: `Authorization: Bearer ${secret}`, secret })),
  word.map((secret) => ({ kind: "authorization header", text: `"x-api-key": "${secret}"`, secret })),
  word.map((secret) => ({ kind: "password in a URL", text: `postgres://app:${secret}@db.example.com/app`, secret })),
  word.map((secret) => ({ kind: "value of DB_PASSWORD", text: `export DB_PASSWORD=${secret}`, secret })),
  word.map((secret) => ({ kind: "value of clientSecret", text: `{"clientSecret": "${secret}"}`, secret })),
  fc.tuple(some(BASE32, 16), some(`${ALNUM}+/`, 37)).map(([id, rest]) => {
    const secret = `aB1${rest}`
    return { kind: "AWS secret key", text: `AKIA${id}\n${secret}`, secret }
  }),
)

export const anything = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.lorem({ mode: "sentences" }),
  fc.constantFrom("-----BEGIN", "AKIA", "sk-ant-", "://", "Bearer ", "KEY=", '"', "\\n", "eyJ.eyJ", "@", "\n", "  "),
)

/** As an export does it: all texts are looked at first. */
export function redactorFor(texts: readonly (readonly string[])[], known = NOTHING_KNOWN): Redactor {
  const survey = makeSecretSurvey(known)
  for (const pieces of texts) survey.see(pieces)
  return makeRedactor(survey, known)
}

export function redacted(text: string, variables: Record<string, string> = {}, homes: string[] = []): string {
  const known = knownSecrets(
    Object.entries(variables).map(([name, value]) => ({ name, value })),
    homes,
  )
  return redactorFor([[text]], known)
    .show([text])
    .join("")
}

/** A long text of the same piece, and how it is shown. */
export function repeated(piece: string, size: number, end = ""): { text: string; shown: string } {
  const text = `${piece.repeat(size / piece.length)}${end}`
  const known = knownSecrets([{ name: "A_TOKEN", value: "aaaaaaaab1c2" }], ["/home/you"])
  return {
    text,
    shown: redactorFor([[text]], known)
      .show([text])
      .join(""),
  }
}
