// Where a text begins to look like a secret: one character less, and it stays.
import { expect, test } from "vitest"
import { redacted } from "./planted.ts"

const MIXED = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
const first = (length: number) => MIXED.slice(0, length)

const LIMITS: [what: string, secret: string, not: string][] = [
  ["the value of a password has 8 characters", `DB_PASSWORD=${first(8)}`, `DB_PASSWORD=${first(7)}`],
  ["four of them differ", "DB_PASSWORD=a1B2a1B2", "DB_PASSWORD=a1Ba1Ba1B"],
  ["what is only called a token has 16", `"token": "${first(16)}"`, `"token": "${first(15)}"`],
  ["what is called the token of something has 8", `GITHUB_TOKEN=${first(8)}`, `GITHUB_TOKEN=${first(7)}`],
  ["an authorization header has 8", `Authorization: Bearer ${first(8)}`, `Authorization: Bearer ${first(7)}`],
  ["a bearer without its header has 16", `bearer ${first(16)}`, `bearer ${first(15)}`],
  ["each part of a web token has 8", "eyJa1B2c.eyJa1B2c", "eyJa1B2c.eyJa1B2"],
  ["the first part too", "eyJa1B2c.eyJa1B2c", "eyJa1B2.eyJa1B2c"],
]
test.each(LIMITS)("%s", (_, secret, not) => {
  expect(redacted(secret)).toContain("[secret 1: ")
  expect(redacted(not)).toBe(not)
})

test("a web token may have a third part, and then all of it goes", () => {
  expect(redacted("(eyJa1B2c.eyJa1B2c.s)")).toBe("([secret 1: JSON web token])")
  expect(redacted("eyJa1B2c.eyJa1B2c.")).toBe("[secret 1: JSON web token].")
})

test("the secret half of an AWS key is looked for within 200 characters of the other half", () => {
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
