// Places in a list of which only some heights are known.
import { expect, test } from "vitest"
import { Offsets } from "../../web/show/offsets.ts"

function list(keys: string): Offsets {
  const offsets = new Offsets(10)
  offsets.setKeys(keys.split(""))
  return offsets
}

test("what is not measured has the usual height", () => {
  const offsets = list("abcd")
  expect(offsets.total).toBe(40)
  expect(offsets.setHeight(1, 25)).toBe(true)
  expect(offsets.setHeight(1, 25)).toBe(false)
  expect([0, 1, 2, 3, 4].map((index) => offsets.top(index))).toEqual([0, 10, 35, 45, 55])
  expect([-5, 0, 9, 10, 34, 35, 1000].map((y) => offsets.at(y))).toEqual([0, 0, 0, 1, 1, 2, 3])
})

test("heights stay with their items when the list changes at its start or end", () => {
  const offsets = list("bc")
  offsets.setHeight(0, 30)
  offsets.setKeys("abcdefgh".split(""))
  expect(offsets.top(2)).toBe(40)
  offsets.setKeys(["b"])
  expect(offsets.total).toBe(30)
  offsets.setKeys([])
  expect([offsets.total, offsets.at(5)]).toEqual([0, 0])
})
