// The index of a pack, printed and read again. Offsets beyond 2 GiB are in a table of their own.
import { expect, test } from "vitest"
import { parsePackIndex, printPackIndex } from "../../../src/workspace/git/objects/pack-index.ts"

const GIB = 2 ** 30
const name = (first: number, last: number) => first.toString(16).padStart(2, "0") + last.toString(16).padStart(38, "0")

test("each object is found where it begins, and no other", () => {
  const rows = [
    { oid: name(0, 1), offset: 12, crc: 0 },
    { oid: name(0, 2), offset: 2 * GIB - 1, crc: 0 },
    { oid: name(7, 1), offset: 2 * GIB, crc: 0 },
    { oid: name(7, 3), offset: 5 * GIB, crc: 0 },
    { oid: name(255, 9), offset: 3 * GIB, crc: 0 },
  ]
  const index = parsePackIndex(printPackIndex([...rows].reverse(), Buffer.alloc(20)), 20)
  expect(index?.count).toBe(5)
  expect(rows.map(({ oid }) => index?.find(oid))).toEqual(rows.map(({ offset }) => offset))
  expect(rows.map((_, row) => [index?.oidAt(row), index?.offsetAt(row)])).toEqual(
    rows.map(({ oid, offset }) => [oid, offset]),
  )
  for (const absent of [name(0, 0), name(0, 3), name(1, 1), name(7, 2), name(7, 4), name(255, 8)])
    expect(index?.find(absent)).toBeUndefined()
})

test("what is cut short or not an index does not count as one", () => {
  const bytes = printPackIndex([{ oid: name(1, 1), offset: 12, crc: 0 }], Buffer.alloc(20))
  expect(parsePackIndex(bytes, 20)?.count).toBe(1)
  expect(parsePackIndex(bytes.subarray(0, 1031), 20)).toBeUndefined()
  expect(parsePackIndex(bytes.subarray(0, 1032 + 27), 20)).toBeUndefined()
  expect(parsePackIndex(Buffer.concat([Buffer.alloc(4), bytes.subarray(4)]), 20)).toBeUndefined()
})
