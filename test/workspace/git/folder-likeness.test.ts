// Whether a folder looks like one that is gone: by how many files of its last snapshot are here, and by its commits.
import fs from "node:fs"
import nodePath from "node:path"
import { beforeEach, expect, test } from "vitest"
import { knowsCommit, likeness } from "../../../src/workspace/git/doctor/folder-likeness.ts"
import { git, openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
let snapshot: string
beforeEach(async () => {
  for (const name of ["a.txt", "b.txt", "sub/c.txt", "sub/deep/d.txt"]) put(place, name, `${name}\n`)
  const workspace = await openAt(place)
  snapshot = (await workspace.snapshot()).id
  await workspace.close()
})

/** The other folder, with these files. */
function like(files: Record<string, string>, of = snapshot) {
  const root = nodePath.join(place.base, "other")
  fs.rmSync(root, { recursive: true, force: true })
  for (const [name, text] of Object.entries(files)) put({ ...place, root }, name, text)
  const [store = ""] = fs.readdirSync(nodePath.join(place.home, "workspaces"))
  return likeness({ home: place.home, store, snapshot: of, root })
}

test("its likeness is the share of files that are here, in every folder", () => {
  const all = { "a.txt": "1", "b.txt": "2", "sub/c.txt": "3", "sub/deep/d.txt": "4" }
  expect(like(all)).toEqual({ share: 1, same: false })
  expect(like({ "a.txt": "1", "sub/deep/d.txt": "4", "z.txt": "5" })).toEqual({ share: 0.5, same: false })
  expect(like({ "z.txt": "5" })).toEqual({ share: 0, same: false })
})

test("one file that is the same byte for byte is recognised", () => {
  expect(like({ "sub/c.txt": "sub/c.txt\n" })).toEqual({ share: 0.25, same: true })
})

test("a snapshot that does not exist, and an invalid id, say nothing", () => {
  expect(like({}, "0".repeat(40))).toBeUndefined()
  expect(like({}, "nonsense")).toBeUndefined()
})

test("a repository knows its own commits, and no others", () => {
  git(place.root, "init", "-q")
  git(place.root, "add", "-A")
  git(place.root, "commit", "-qm", "first")
  const commit = git(place.root, "rev-parse", "HEAD").trim()
  const tree = git(place.root, "rev-parse", "HEAD^{tree}").trim()
  expect(knowsCommit(nodePath.join(place.root, "sub"), commit)).toBe(true)
  expect([knowsCommit(place.root, tree), knowsCommit(place.root, "0".repeat(40))]).toEqual([false, false])
  expect(knowsCommit(place.root, commit.slice(0, 39))).toBe(false)
  expect(knowsCommit(place.base, commit)).toBe(false)
})
