import { expect, test } from "vitest"
import { idInName, indexFile, leaseFile } from "../../../src/store/file/disk/layout.ts"

test("what is derived from a log is beside it under its name", () => {
  expect(indexFile("/s/01a.jsonl")).toBe("/s/01a.index")
  expect(leaseFile("/s/01a.jsonl")).toBe("/s/01a.lease")
})

test("a log with another name keeps all of it, so that no other file is taken for its index", () => {
  expect(indexFile("/s/saved.txt")).toBe("/s/saved.txt.index")
  expect(leaseFile("/s/x")).toBe("/s/x.lease")
  expect(idInName("/s/saved.txt")).toBeUndefined()
})
