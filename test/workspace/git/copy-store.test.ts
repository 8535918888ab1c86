// The snapshots of a folder for a second folder, as a move of a folder that still exists needs them.
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, expect, test, vi } from "vitest"
import { copyStore, storesOf } from "../../../src/workspace/git/project/store-folder.ts"
import { get, openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
afterEach(() => {
  vi.restoreAllMocks()
})

function linkCounts(): number[] {
  const all = fs.readdirSync(place.home, { recursive: true, withFileTypes: true })
  const files = all.filter((entry) => entry.isFile() && /objects/.test(entry.parentPath))
  return [...new Set(files.map((entry) => fs.statSync(nodePath.join(entry.parentPath, entry.name)).nlink))]
}

test.each([
  ["shares their files", "linkSync", [2]],
  ["copies them where the file system has no links", "no links", [1]],
])("a copy has the snapshots, and %s", async (_, links, expected) => {
  const workspace = await openAt(place)
  put(place, "a.txt", "old")
  const { id: old } = await workspace.snapshot()
  put(place, "a.txt", "new")
  const { id: now } = await workspace.snapshot()
  await workspace.close()
  if (links === "no links") {
    vi.spyOn(fs, "linkSync").mockImplementation(() => {
      throw Object.assign(new Error("EPERM: operation not permitted"), { code: "EPERM" })
    })
  }
  const elsewhere = { ...place, root: nodePath.join(place.base, "elsewhere") }
  fs.cpSync(place.root, elsewhere.root, { recursive: true })
  const [store = ""] = storesOf(place.home, place.root)
  const copy = copyStore(place.home, store, elsewhere.root)
  expect(linkCounts()).toEqual(expected)
  expect([storesOf(place.home, place.root), storesOf(place.home, elsewhere.root)]).toEqual([[store], [copy]])

  const there = await openAt(elsewhere, { session: "two", store: copy })
  const planned = await there.planRestore({ steps: [{ before: old, after: now }] })
  await there.restore(planned)
  expect([get(elsewhere, "a.txt"), get(place, "a.txt")]).toEqual(["old", "new"])
  await there.close()
})
