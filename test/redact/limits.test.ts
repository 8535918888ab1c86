// Where a text begins to look like a secret: one character less, and it stays.
import { expect, test } from "vitest"
import { redacted } from "./planted.ts"

const MIXED = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
const first = (length: number) => MIXED.slice(0, length)

const BEGIN = "-----BEGIN PRIVATE KEY-----"
const long = (length: number) => MIXED.repeat(4).slice(0, length)
const ab1 = (length: number) => "ab1".repeat(22).slice(0, length)

const LIMITS: [what: string, secret: string, not: string][] = [
  ["the value of a password has 8 characters", `DB_PASSWORD=${first(8)}`, `DB_PASSWORD=${first(7)}`],
  ["a name may say PASS as a word", `DB_PASS=${first(12)}`, `COMPASS=${first(12)}`],
  ["or PWD, unless that is all of it", `MYSQL_PWD=${first(12)}`, `PWD=${first(12)}`],
  ["four of them differ", "DB_PASSWORD=a1B2a1B2", "DB_PASSWORD=a1Ba1Ba1B"],
  ["what is only called a token has 16", `"token": "${first(16)}"`, `"token": "${first(15)}"`],
  ["what is called the token of something has 8", `GITHUB_TOKEN=${first(8)}`, `GITHUB_TOKEN=${first(7)}`],
  ["an authorization header has 8", `Authorization: Bearer ${first(8)}`, `Authorization: Bearer ${first(7)}`],
  ["a bearer without its header has 16", `bearer ${first(16)}`, `bearer ${first(15)}`],
  ["each part of a web token has 8", "eyJa1B2c.eyJa1B2c", "eyJa1B2c.eyJa1B2"],
  ["the first part too", "eyJa1B2c.eyJa1B2c", "eyJa1B2.eyJa1B2c"],
  ["a line of a key without its end has 16", `${BEGIN}\n${first(16)}`, `${BEGIN}\n${first(15)}`],
  ["a full stop or hyphen at the end is none of a token's 20", `glpat-${first(20)}-.`, `glpat-${first(19)}-`],
  ["what a long run holds may be an image", `${"+".repeat(31)}AIza${first(35)}`, `${"+".repeat(32)}AIza${first(35)}`],
  ["the first 128 characters of a value decide", `"password": "${long(128)} b"`, `"password": "${long(127)} b"`],
  ["also in a header", `authorization=${"x".repeat(127)}y`, `authorization=${"x".repeat(128)}y`],
  ["of a repeated pattern the first 64", `A_SECRET=${ab1(63)}Z`, `A_SECRET=${ab1(64)}Z`],
]
test.each(LIMITS)("%s", (_, secret, not) => {
  expect(redacted(secret)).toContain("[secret 1: ")
  expect(redacted(not)).toBe(not)
})

test("a web token may have a third part, and then all of it goes", () => {
  expect(redacted("(eyJa1B2c.eyJa1B2c.s)")).toBe("([secret 1: JSON web token])")
  expect(redacted("eyJa1B2c.eyJa1B2c.")).toBe("[secret 1: JSON web token].")
})

test("the secret half of an AWS key is searched for within 200 characters of the other half", () => {
  const id = "AKIAIOSFODNN7EXAMPLE"
  const half = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
  const shown = (text: string) => redacted(text).includes("AWS secret key")
  const gap = (length: number) => ` ${" ".repeat(length - 2)} `
  expect(shown(`${id}${gap(199)}${half}`)).toBe(true)
  expect(shown(`${id}${gap(200)}${half}`)).toBe(false)
  expect(shown(`${half}${gap(160)}${id}`)).toBe(true)
  expect(shown(`${half}${gap(161)}${id}`)).toBe(false)
  expect(shown(`${id} ${half}x`)).toBe(false)
  expect(shown(`${id} ${half.slice(1)}`)).toBe(false)
  expect(shown(`${id} ${half.toLowerCase()}`)).toBe(false)
})

test("up to four blanks and up to 64 characters of a name are part of an assignment", () => {
  expect(redacted(`"password"    :    "${first(12)}"`)).toContain("[secret 1: value of password]")
  expect(redacted(`"password"     : "${first(12)}"`)).toContain(first(12))
  const name = (length: number) => `${"a".repeat(length - 9)}_PASSWORD`
  expect(redacted(`${name(64)}=${first(12)}`)).toContain(`value of ${name(64)}`)
})

test("a key's end belongs to it up to 64 KB after its beginning", () => {
  const key = (length: number) => `${BEGIN}${"a1B2".repeat(length).slice(0, length)} !-----END PRIVATE KEY-----`
  const size = 64 * 1024 - BEGIN.length - 2
  expect(redacted(key(size - 1))).toBe("[secret 1: private key]")
  expect(redacted(key(size))).toBe("[secret 1: private key] !-----END PRIVATE KEY-----")
})

test("of a value of 23 characters its first half is gone too, where the rest was cut off", () => {
  const shown = (value: string, cut: string) => redacted(cut, { A_PASSWORD: value })
  expect(shown(first(23), `${first(12)}…`)).toBe("[secret 1: value of A_PASSWORD]…")
  expect(shown(first(22), `${first(11)}…`)).toBe(`${first(11)}…`)
})

test("a value that only its context reveals is found elsewhere up to 4096 characters", () => {
  const shown = (length: number) => {
    const value = MIXED.repeat(103).slice(0, length)
    return redacted(`A_PASSWORD=${value} (${value})`)
  }
  const mark = "[secret 1: value of A_PASSWORD]"
  expect(shown(4096)).toBe(`A_PASSWORD=${mark} (${mark})`)
  expect(shown(4097)).toMatch(/^A_PASSWORD=\[secret 1: value of A_PASSWORD\] \(a1B2/)
})

test("two tokens without anything between them are two", () => {
  expect(redacted("AKIAIOSFODNN7EXAMPLEAKIAIOSFODNN7EXAMPLF")).toBe(
    "[secret 1: AWS access key][secret 2: AWS access key]",
  )
})

test("a token may begin within the first letters of another", () => {
  expect(redacted(`sk-sk-ant-${first(20)}`)).toBe("sk-[secret 1: Anthropic key]")
})

test("two variables of one value: the first one names it", () => {
  expect(redacted(first(12), { A_TOKEN: first(12), B_TOKEN: first(12) })).toBe("[secret 1: value of A_TOKEN]")
  const url = (user: string) => `postgres://${user}:${first(12)}@db`
  expect(redacted(first(12), { A_URL: url("a"), B_TOKEN: first(12) })).toBe("[secret 1: value of B_TOKEN]")
})

test("a quoted value may hold any letter but its quote", () => {
  for (const letter of ["\u007f", "\u0080", "é", "日"]) {
    expect(redacted(`"password": "${first(8)}${letter}${first(4)}"`)).toBe(
      '"password": "[secret 1: value of password]"',
    )
  }
})
