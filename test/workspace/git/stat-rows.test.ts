// Stats of many paths as rows of numbers: each comes back as it was, and none touches another.
import fs from "node:fs"
import nodePath from "node:path"
import { expect, test } from "vitest"
import { newRows, rowAt, statInto } from "../../../src/workspace/git/bulk/stat-rows.ts"
import { placeForEach, put } from "../folder.ts"

const place = placeForEach()

test("each path comes out of its own row, in whatever order the rows are filled", () => {
  const rows = newRows(3)
  for (const i of [1, 2, 0]) {
    put(place, `${i}`, "x".repeat(i))
    statInto(rows, i, nodePath.join(place.root, `${i}`))
  }
  expect([0, 1, 2].map((i) => rowAt(rows, i))).toMatchObject([{ size: 0 }, { size: 1 }, { size: 2 }])
})

test("a path that does not exist, one that was not requested, and one that exists", () => {
  put(place, "a.txt", "hello", 0o640)
  const rows = newRows(3)
  statInto(rows, 0, nodePath.join(place.root, "none"))
  statInto(rows, 2, nodePath.join(place.root, "a.txt"))
  expect([0, 1].map((i) => rowAt(rows, i))).toEqual(["nothing there", "unknown"])
  const { mode, size, mtimeMs, ctimeMs, ino } = fs.lstatSync(nodePath.join(place.root, "a.txt"))
  expect(rowAt(rows, 2)).toEqual({ mode, size, mtimeMs, ctimeMs, ino })
})

test("no paths need no rows", () => {
  expect(newRows(0)).toHaveLength(0)
})
