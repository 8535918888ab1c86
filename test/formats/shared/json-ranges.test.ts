// Where the elements of a list stand in the bytes of a JSON text: as JSON.parse finds them.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { elementRanges } from "../../../src/formats/shared/json-ranges.ts"

function elements(text: string, keys: readonly string[], before = "", after = ""): string[] {
  const bytes = Buffer.from(`${before}${text}${after}`)
  const start = Buffer.byteLength(before)
  const ranges = elementRanges(bytes, start, start + Buffer.byteLength(text), keys)
  return ranges.map(({ start: from, end }) => bytes.toString("utf8", from, end))
}

test.each<[text: string, keys: string[], found: string[]]>([
  ["[1,2]", [], ["1", "2"]],
  [" [ 1 ,\t2\r\n, {} ] ", [], ["1", "2", "{}"]],
  ["[]", [], []],
  ["[ ]", [], []],
  ['{"a":[true,null]}', ["a"], ["true", "null"]],
  ['{ "x" : [9] , "a" : { "b" : [ "]" , "\\"," ] } }', ["a", "b"], ['"]"', '"\\","']],
  ['{"a":[1],"a":[2]}', ["a"], ["2"]],
  ['{"a":[[1,[2]],{"b":[3]}]}', ["a"], ["[1,[2]]", '{"b":[3]}']],
  ['["\\\\","x"]', [], ['"\\\\"', '"x"']],
  ['{"größe":["ä","ö"]}', ["größe"], ['"ä"', '"ö"']],
  ['{"a":1}', ["a"], []],
  ['{"a":[1]}', ["b"], []],
  ['{"a":[1]}', ["a", "b"], []],
  ["7", [], []],
  ["[1]", ["a"], []],
  ["{}", ["a"], []],
])("%s at %j", (text, keys, found) => {
  expect(elements(text, keys)).toEqual(found)
  expect(elements(text, keys, '[0,"', '"] ,8]')).toEqual(found)
})

test("any list in any object is found element by element, however it is written", () => {
  const value = fc.jsonValue()
  fc.assert(
    fc.property(fc.array(value), value, fc.constantFrom(undefined, 1, "\t"), (list, other, indent) => {
      const text = JSON.stringify({ other, list, last: other }, null, indent)
      expect(elements(text, ["list"]).map((each) => JSON.parse(each) as unknown)).toEqual(
        JSON.parse(JSON.stringify(list)),
      )
    }),
    { numRuns: 200 },
  )
})

test.each(["[1 }", "[}", "[1,}]", '["', '{"a":[,]}', "[[", "{]"])("%s is no JSON, and the search ends", (text) => {
  expect(elements(text, []).length).toBeLessThan(3)
  expect(elements(text, ["a"]).length).toBeLessThan(3)
})

test("a list nested a hundred thousand deep is one element", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
  expect(elements(`[${deep}]`, [])).toEqual([deep])
})
