// A text is found in the JSON of a line however it is written there, and a text that is not in it usually is not.
import { expect, test } from "vitest"
import { bytePattern, textPattern } from "../../src/find/pattern.ts"

const inJson = (wanted: string, json: string, cases: "same" | "any" = "same") =>
  new RegExp(bytePattern(wanted, cases)).test(Buffer.from(json).toString("latin1"))

test.each([
  ["plain", '{"a":"some plain text"}'],
  ["a/b", '{"a":"a/b"}'],
  ["a/b", String.raw`{"a":"a\/b"}`],
  ["a.b*c", '{"a":"a.b*c"}'],
  ['say "hi"', String.raw`{"a":"say \"hi\""}`],
  ["back\\slash", String.raw`{"a":"back\\slash"}`],
  ["größe", '{"a":"größe"}'],
  ["größe", String.raw`{"a":"gr\u00f6\u00dfe"}`],
  ["größe", String.raw`{"a":"gr\u00F6\u00DFe"}`],
  ["日本", String.raw`{"a":"\u65e5\u672c"}`],
  ["🎉 party", String.raw`{"a":"\ud83c\udf89 party"}`],
  ["two words", String.raw`{"a":"two\nwords"}`],
  ["two words", String.raw`{"a":"two\t \r\nwords"}`],
  ["two words", '{"a":"two\u00a0words"}'],
  ["two words", String.raw`{"a":"two\u00a0words"}`],
  ["  two   words ", '{"a":"two words"}'],
  ['say "hi"', String.raw`{"a":"{\"b\":\"say \\\"hi\\\"\"}"}`],
  ["two words", String.raw`{"a":"{\"b\":\"two\\nwords\"}"}`],
])("%j is found in %s", (wanted, json) => {
  expect(inJson(wanted, json)).toBe(true)
})

test.each([
  ["a.b", '{"a":"axb"}'],
  ["a/b", '{"a":"a-b"}'],
  ["two words", '{"a":"twowords"}'],
  ["größe", '{"a":"grösse"}'],
  ["Plain", '{"a":"plain"}'],
])("%j is not found in %s", (wanted, json) => {
  expect(inJson(wanted, json)).toBe(false)
})

test.each([
  ["Plain", '{"a":"pLAIN"}'],
  ["GRÖẞE", '{"a":"größe"}'],
  ["straße", '{"a":"STRAẞE"}'],
  ["σοφός", '{"a":"ΣΟΦΌΣ"}'],
  ["ΣΟΦΌΣ", '{"a":"σοφός"}'],
  ["É", String.raw`{"a":"\u00e9"}`],
])("%j is found in %s when case does not matter, and not otherwise", (wanted, json) => {
  expect(inJson(wanted, json, "any")).toBe(true)
  expect(inJson(wanted, json, "same")).toBe(false)
})

test("in the text itself it says where, over lines and whatever the case", () => {
  const at = (wanted: string, text: string, flags: string) => new RegExp(textPattern(wanted), flags).exec(text)?.index
  expect(at("two words", "some TWO\n words", "iu")).toBe(5)
  expect(at("two words", "some TWO\n words", "u")).toBeUndefined()
  expect(at("a.b(c", "xa.b(c", "u")).toBe(1)
  expect(at("a.b", "axb", "u")).toBeUndefined()
})
