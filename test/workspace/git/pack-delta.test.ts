// What a pack stores as a difference from another object.
import { expect, test } from "vitest"
import { applyDelta, readDistance } from "../../../src/workspace/git/project/project-objects.ts"

const BASE = Buffer.from("0123456789abcdef")
/** Sizes of the base and of the result, then commands. */
const delta = (made: number, ...commands: number[]) => Buffer.from([BASE.length, made, ...commands])

test.each([
  ["a copy from the beginning", delta(3, 0x90, 3), "012"],
  ["a copy from within", delta(3, 0x91, 4, 3), "456"],
  ["new text between copies", delta(6, 0x91, 14, 2, 2, 88, 89, 0x90, 2), "efXY01"],
  ["a copy that ends with the base", delta(1, 0x91, 15, 1), "f"],
])("%s", (_, bytes, made) => {
  expect(applyDelta(BASE, bytes)?.toString()).toBe(made)
})

test.each([
  ["another base", Buffer.from([BASE.length + 1, 1, 0x90, 1])],
  ["another length", delta(4, 0x90, 3)],
  ["a copy over the end", delta(2, 0x91, 15, 2)],
  ["nothing where something should be", delta(1)],
])("a difference with %s does not fit", (_, bytes) => {
  expect(applyDelta(BASE, bytes)).toBeUndefined()
})

test("offsets, lengths and sizes may take several bytes; a length of zero is 64 KB", () => {
  const base = Buffer.alloc(0x2_0305)
  base.fill("x", 0x1_0203, 0x1_0203 + 0x102)
  const size = (value: number) => [(value & 0x7f) | 0x80, ((value >> 7) & 0x7f) | 0x80, value >> 14]
  const copied = applyDelta(base, Buffer.from([...size(base.length), 0x82, 0x02, 0xb7, 3, 2, 1, 2, 1]))
  expect(copied?.toString()).toBe("x".repeat(0x102))
  const whole = applyDelta(base, Buffer.from([...size(base.length), ...size(0x1_0000), 0x80]))
  expect(whole).toHaveLength(0x1_0000)
})

test("how far before an entry its base begins", () => {
  expect(readDistance(Buffer.from([0, 5]), 1)).toEqual({ value: 5, end: 2 })
  expect(readDistance(Buffer.from([0x80, 0]), 0)).toEqual({ value: 128, end: 2 })
  expect(readDistance(Buffer.from([0x81, 0x82, 3]), 0)).toEqual({ value: ((1 + 1) * 128 + 2 + 1) * 128 + 3, end: 3 })
})
