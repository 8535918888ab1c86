// Names that are not what they seem; other languages are what they seem.
import { expect, test } from "vitest"
import { withLookAlikes } from "../../../src/model/text/look-alikes.ts"

test.each([
  ["g\u0456t push", "g\u0456<U+0456>t push"],
  ["\u0441\u0440 a b", "\u0441<U+0441>\u0440<U+0440> a b"],
  ["cat \uff46oo", "cat \uff46<U+FF46>oo"],
  ["cat \u{1d41a}", "cat \u{1d41a}<U+1D41A>"],
  ["cat a\u2215b", "cat a\u2215<U+2215>b"],
  ["ls\u037e rm x", "ls\u037e<U+037E> rm x"],
  ["rm \u2013rf x", "rm \u2013<U+2013>rf x"],
  ["cat r\u00e9sum\u0435", "cat r\u00e9sum\u0435<U+0435>"],
  ["src/\u03bfther.ts", "src/\u03bf<U+03BF>ther.ts"],
])("%j is marked", (text, marked) => expect(withLookAlikes(text)).toBe(marked))

test.each([
  "git commit -m 'Привет, мир'",
  "echo Größe naïve kısa é µs",
  "cat 日本語.txt",
  "git commit -m 'one \u2014 two'",
  "echo plain",
])("%j is not", (text) => expect(withLookAlikes(text)).toBe(text))
