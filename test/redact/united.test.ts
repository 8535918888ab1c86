// Spans of secrets that overlap become one, which is called what its widest is called.
import { expect, test } from "vitest"
import { type SecretSpan, united } from "../../src/redact/pattern/span.ts"

const span = (from: number, to: number, kind: string): SecretSpan => ({ from, to, kind, value: `value of ${kind}` })
const shown = (...spans: SecretSpan[]) =>
  united(spans).map(({ from, to, kind, value }) => `${from}-${to} ${kind} (${value})`)

test("those that only touch, or lie apart, stay as they are, in order", () => {
  expect(shown(span(5, 9, "b"), span(0, 5, "a"), span(12, 13, "c"))).toEqual([
    "0-5 a (value of a)",
    "5-9 b (value of b)",
    "12-13 c (value of c)",
  ])
})

test("the widest names them, wherever it stands among them", () => {
  expect(shown(span(0, 5, "a"), span(3, 13, "b"), span(12, 19, "c"))).toEqual(["0-19 b (value of b)"])
  expect(shown(span(0, 9, "a"), span(2, 4, "b"))).toEqual(["0-9 a (value of a)"])
  expect(shown(span(0, 3, "a"), span(2, 8, "b"), span(9, 10, "c"), span(9, 12, "d"))).toEqual([
    "0-8 b (value of b)",
    "9-12 d (value of d)",
  ])
})

test("of two that are as wide, the one that was listed first", () => {
  expect(shown(span(0, 5, "a"), span(0, 5, "b"))).toEqual(["0-5 a (value of a)"])
})
