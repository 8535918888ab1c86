// Text that would keep a careless search busy for hours: a test that ends is a test that passes.
import { expect, test } from "vitest"
import { knownSecrets } from "../../src/redact/known.ts"
import { redactorFor, repeated } from "./planted.ts"

test.each([
  "a",
  "AKIA",
  "AKIAIOSFODNN7EXAMPLE",
  "-----BEGIN",
  "-----BEGIN RSA PRIVATE KEY-----",
  "-----BEGIN RSA PRIVATE KEY----- -----END",
  "eyJ",
  ".eyJaaaaaaaaa",
  "sk-ant-",
  "KEY=",
  'A_KEY="',
  "authorization=",
  "://a:b@",
  "\\n",
])("hundreds of kilobytes of %j take no longer than other text", (piece) => {
  const { text, shown } = repeated(piece, 300_000)
  expect(shown === text || /\[secret 1: [^\]]+\]/.test(shown)).toBe(true)
})

test("a long value that a text begins again and again is not followed each time", () => {
  const value = `${"ab".repeat(1000)}1${"ab".repeat(1000)}2${"ab".repeat(2000)}`
  const known = knownSecrets([{ name: "A_TOKEN", value }])
  const text = `${"ab".repeat(1000)}1${"ab".repeat(999)}`.repeat(100)
  expect(
    redactorFor([[text]], known)
      .show([text])
      .join("").length,
  ).toBeLessThan(text.length + 1)
})

test("thousands of values that begin the same are found in one walk", () => {
  const values = Array.from({ length: 2000 }, (_, n) => `${"abcd".repeat(100)}${n}z`)
  const variables = values.map((value, n) => ({ name: `TOKEN_${n}`, value }))
  const [shown = ""] = redactorFor([], knownSecrets(variables)).show([`${"abcd".repeat(50_000)}${values.join("")}`])
  expect(shown.match(/\[secret \d+: value of TOKEN_\d+\]/g)).toHaveLength(2000)
})
