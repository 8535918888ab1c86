import { expect, test } from "vitest"
import type { RecordId } from "../../../src/model/id.ts"
import type { LogRecord } from "../../../src/model/record/record.ts"
import { RecordCache } from "../../../src/store/file/log/record-cache.ts"

const record: LogRecord = { id: "x" as RecordId, at: "", type: "unknown", was: "x" }
const MEGABYTE = 1024 * 1024

test("recently added records are kept, the oldest are dropped, and a very large one is not taken", () => {
  const cache = new RecordCache()
  const kept = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => from + i).filter((row) => cache.get(row) === record)
  for (let row = 0; row < 100; row++) cache.add(row, record, MEGABYTE)
  expect(kept(0, 68)).toEqual([])
  expect(kept(84, 100)).toHaveLength(16)
  cache.add(100, record, 9 * MEGABYTE)
  expect(kept(84, 101)).toHaveLength(16)
  cache.clear()
  expect(kept(0, 101)).toEqual([])
})
