// Large folders are read and looked at by two threads; what comes out must not depend on which of them did the work.
import { randomBytes } from "node:crypto"
import fs from "node:fs"
import nodePath from "node:path"
import { beforeEach, expect, test } from "vitest"
import { openHelperThread } from "../../../src/workspace/git/bulk/helper-thread.ts"
import { openStatMany } from "../../../src/workspace/git/bulk/stat-many.ts"
import { newRows, rowAt } from "../../../src/workspace/git/bulk/stat-rows.ts"
import { openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
beforeEach(() => {
  for (let i = 0; i < 2000; i++)
    put(place, `d${i % 40}/file ${i}`, i % 97 === 0 ? "" : `content of ${i}\n`.repeat(i % 30))
  put(place, "d1/large", Buffer.alloc(2 << 20, "x"))
  fs.symlinkSync("file 1", nodePath.join(place.root, "d1/link"))
})

test("a first snapshot of many files contains each of them, and the next ones see every change", {
  timeout: 60_000,
}, async () => {
  const workspace = await openAt(place)
  const { id, changed } = await workspace.snapshot()
  expect(changed).toHaveLength(2002)
  for (const path of ["d1/large", "d1/link", "d0/file 0", "d7/file 1207", "d39/file 1999"]) {
    const expected = path.endsWith("link") ? Buffer.from("file 1") : fs.readFileSync(nodePath.join(place.root, path))
    expect(expected.equals((await workspace.blob(id, path)) ?? Buffer.alloc(0))).toBe(true)
  }
  expect((await workspace.snapshot()).id).toBe(id)
  put(place, "d3/file 3", "changed")
  fs.rmSync(nodePath.join(place.root, "d4"), { recursive: true })
  const next = await workspace.snapshot()
  expect(next.changed).toHaveLength(51)
  await workspace.close()
  const again = await openAt(place)
  expect((await again.snapshot()).id).toBe(next.id)
  await again.close()
})

test("a pack that is written in several pieces contains each file", async () => {
  const contents = Array.from({ length: 60 }, () => randomBytes(100_000))
  for (const [i, bytes] of contents.entries()) put(place, `large/${i}`, bytes)
  const workspace = await openAt(place, { root: nodePath.join(place.root, "large") })
  const { id } = await workspace.snapshot()
  for (const [i, bytes] of contents.entries())
    expect(bytes.equals((await workspace.blob(id, String(i))) ?? Buffer.alloc(0))).toBe(true)
  await workspace.close()
})

test("a helper that dies in the middle makes no file look gone", async () => {
  const list = fs.readdirSync(nodePath.join(place.root, "d1")).map((name) => `d1/${name}`)
  const job = { arrived: () => [], ended: Promise.resolve(), [Symbol.asyncDispose]: () => Promise.resolve() }
  const dead = { isReady: () => true, start: () => job, close: () => Promise.resolve() }
  const rows = await openStatMany(dead)(place.root, list, () => undefined)
  expect(list.filter((_, i) => typeof rowAt(rows, i) === "string")).toEqual([])
  expect(rowAt(newRows(3), 2)).toBe("unknown")
  const helper = openHelperThread()
  helper.isReady()
  await helper.close()
})
