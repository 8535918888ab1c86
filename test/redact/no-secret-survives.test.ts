import * as fc from "fast-check"
import { expect, test } from "vitest"
import { knownSecrets } from "../../src/redact/known.ts"
import { anything, inPlace, type Planted, redacted, redactorFor, selfTelling, some } from "./planted.ts"

test("what reveals itself is gone, wherever it is and whatever is next to it", () => {
  fc.assert(
    fc.property(anything, fc.array(selfTelling, { minLength: 1, maxLength: 3 }), anything, (before, planted, after) => {
      const text = `${before}${planted.map(({ text }) => text).join("")}${after}`
      const shown = redacted(text)
      for (const { secret } of planted) expect(shown).not.toContain(secret)
    }),
    { numRuns: 400 },
  )
})

test("what its context reveals is gone there, and everywhere else in the same export", () => {
  fc.assert(
    fc.property(anything, inPlace, anything, (before, { text, secret }, after) => {
      const texts = [`${before} ${secret} ${after}`, `${before} ${text} ${after}`, `x${secret}y`]
      const redactor = redactorFor(texts.map((each) => [each]))
      for (const each of texts) expect(redactor.show([each]).join("")).not.toContain(secret)
    }),
    { numRuns: 150 },
  )
})

const cutUp = (text: string, cuts: readonly number[]): string[] => {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length))
}

test("a secret that is cut into pieces is gone from all of them", () => {
  const planted: fc.Arbitrary<Planted> = fc.oneof(selfTelling, inPlace)
  fc.assert(
    fc.property(fc.lorem(), planted, fc.array(fc.nat(), { maxLength: 4 }), (before, { text, secret }, cuts) => {
      const pieces = cutUp(`${before} ${text} end`, cuts)
      const shown = redactorFor([pieces]).show(pieces)
      expect(shown).toHaveLength(pieces.length)
      expect(shown.join("")).not.toContain(secret)
      expect(shown.join("")).toMatch(/ end$/)
    }),
    { numRuns: 150 },
  )
})

test("of a value that was cut somewhere nothing is left, if half of it was there", () => {
  fc.assert(
    fc.property(fc.lorem(), inPlace, fc.nat({ max: 10 }), (before, { text, secret }, missing) => {
      const cut = `${before} ${secret.slice(0, Math.max(12, secret.length - missing))}… and so on`
      const redactor = redactorFor([[text], [cut]])
      redactor.show([text])
      expect(redactor.show([cut]).join("")).toMatch(/ \[secret \d: [^\]]+\]… and so on$/)
      expect(redactor.show([cut]).join("").startsWith(before)).toBe(true)
    }),
    { numRuns: 150 },
  )
})

const SIGNS = "abcXYZ0189 !#%&/\"'\\{}é\n"

test("the value of a secret variable is gone, as it is, in JSON and in a URL", () => {
  const value = some(SIGNS, 12).map((rest) => `q7${rest}Zw`)
  fc.assert(
    fc.property(anything, value, anything, (before, secret, after) => {
      const written = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
      const text = written.map((each) => `${before}${each}${after}`).join("\n")
      const shown = redacted(text, { DEPLOY_PASSWORD: secret })
      for (const each of written) expect(shown).not.toContain(each)
    }),
    { numRuns: 150 },
  )
})

test("the same value has the same mark, and another value another", () => {
  fc.assert(
    fc.property(fc.uniqueArray(some("abcdefgh23456789", 36), { minLength: 2, maxLength: 4 }), (ends) => {
      const tokens = ends.map((end) => `ghp_${end}`)
      const text = [...tokens, ...tokens].join(" ")
      const marks = tokens.map((_, index) => `[secret ${index + 1}: GitHub token]`)
      expect(redacted(text)).toBe([...marks, ...marks].join(" "))
    }),
  )
})

test("what was redacted has nothing more to redact", () => {
  fc.assert(
    fc.property(anything, fc.oneof(selfTelling, inPlace), anything, (before, { text }, after) => {
      const once = redacted(`${before} ${text} ${after}`)
      expect(redacted(once)).toBe(once)
    }),
    { numRuns: 150 },
  )
})

test("text without secrets stays as it is, also in pieces", () => {
  const piece = fc.oneof(
    fc.lorem({ mode: "sentences" }),
    fc.uuid(),
    some("0123456789abcdef", 40),
    some("0123456789abcdef", 64),
    fc.base64String({ minLength: 100, maxLength: 2000 }).map((data) => `data:image/png;base64,${data}`),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.emailAddress(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const known = knownSecrets([{ name: "API_TOKEN", value: "notInThere-77" }], ["/home/nobody-here"])
      const redactor = redactorFor([pieces], known)
      expect(redactor.show(pieces)).toEqual(pieces)
      expect(redactor.replaced.size).toBe(0)
      expect(redactor.home).toBe(false)
    }),
    { numRuns: 100 },
  )
})
