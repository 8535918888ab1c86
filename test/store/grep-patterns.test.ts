// A text is found in the JSON of a line however it is written there, and a text that is not in it usually is not.
import { expect, test } from "vitest"
import { bytePattern, grepLines, textPattern } from "../../src/store/file/folder/grep-lines.ts"

const inJson = (wanted: string, json: string, cases: "same" | "any" = "same") =>
  bytePattern(wanted, cases).test(Buffer.from(json).toString("latin1"))

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
  expect(textPattern("two words", "any").exec("some TWO\n words")?.index).toBe(5)
  expect(textPattern("two words", "same").exec("some TWO\n words")).toBeNull()
  expect(textPattern("a.b(c", "same").exec("xa.b(c")?.index).toBe(1)
  expect(textPattern("a.b", "same").exec("axb")).toBeNull()
})

test("a line that holds what else is looked for is found too, once, in order, with where it begins", () => {
  const bytes = Buffer.from('one needle\n{"blob":{}} needle\nnothing\n{"blob":{}} "blob":{\nlast needle')
  const read = (into: Buffer, at: number, length: number, offset: number) =>
    bytes.copy(into, at, offset, Math.min(bytes.length, offset + length))
  const hits = [...grepLines(read, bytes.length, bytePattern("needle", "same"), { also: Buffer.from('"blob":{') })]
  expect(hits.map(({ bytes: done }) => done)).toEqual([bytes.length])
  expect(hits.flatMap(({ lines }) => lines.map(({ offset, bytes: line }) => [offset, line.toString()]))).toEqual([
    [0, "one needle"],
    [11, '{"blob":{}} needle'],
    [38, '{"blob":{}} "blob":{'],
    [59, "last needle"],
  ])
})

test("a file that turns out shorter than it was ends the search", () => {
  const bytes = Buffer.from("needle\nne")
  const read = (into: Buffer, at: number, length: number, offset: number) =>
    bytes.copy(into, at, offset, Math.min(bytes.length, offset + length))
  const hits = [...grepLines(read, 1000, bytePattern("needle", "same"))]
  expect(hits.flatMap(({ lines }) => lines.map(({ bytes: line }) => line.toString()))).toEqual(["needle"])
})
