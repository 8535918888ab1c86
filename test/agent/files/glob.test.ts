import * as fc from "fast-check"
import { expect, test } from "vitest"
import { globToRegExp, literalGlob } from "../../../src/agent/files/glob.ts"

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "src/a.ts", false],
  ["**/*.ts", "a.ts", true],
  ["**/*.ts", "src/deep/a.ts", true],
  ["src/**", "src/a/b", true],
  ["src/**", "src", false],
  ["src/**/b", "src/b", true],
  ["src/**/b", "src/x/y/b", true],
  ["src/**/b", "src/xb", false],
  ["a?c", "abc", true],
  ["a?c", "a/c", false],
  ["[a-c].x", "b.x", true],
  ["[!a-c].x", "b.x", false],
  ["[!a].x", "/.x", false],
  ["*.{js,ts}", "a.ts", true],
  ["{a,b/{c,d}}.x", "b/d.x", true],
  ["a.b", "axb", false],
  ["a+(b)|$", "a+(b)|$", true],
  ["[", "[", true],
  ["[z-a]", "[z-a]", true],
  ["[z-a]", "z", false],
  ["{a", "{a", true],
  ["a\\*b", "a*b", true],
  ["a\\*b", "axb", false],
  ["a**b", "axyb", true],
  ["a**b", "ax/yb", false],
])("%s matches %s: %s", (pattern, path, matches) => expect(globToRegExp(pattern).test(path)).toBe(matches))

const SPECIAL = "a b / * ** ? [ ] { } ! ^ \\ , . - + ( ) | $".split(" ")

test("any text is a pattern, and any path can be meant literally", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...SPECIAL) }), fc.string(), (text, other) => {
      globToRegExp(text)
      expect(globToRegExp(literalGlob(other)).test(other)).toBe(true)
    }),
  )
})
