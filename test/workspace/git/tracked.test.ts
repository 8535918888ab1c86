// Which files a repository tracks is read from its index, in every version that git writes; git itself says what is right.
import fs from "node:fs"
import nodePath from "node:path"
import { expect, test } from "vitest"
import { projectAt, readTracked } from "../../../src/workspace/git/project/project.ts"
import { git, openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()

/** Names of all lengths around the padding of 8 bytes, and such that share much, little and nothing with the one before. */
const names = [
  ...Array.from({ length: 10 }, (_, i) => "n".repeat(i + 1)),
  ...["x".repeat(60), "y".repeat(100), "z".repeat(127), "z".repeat(128), "z".repeat(200)].map(
    (long) => `deep/${long}/file`,
  ),
  "deep/er/and/deeper/file",
  "größe",
  "zz",
]

test.each([2, 3, 4])("version %i", (version) => {
  git(place.root, "init", "-q")
  git(place.root, "config", "index.version", String(version === 4 ? 4 : 2))
  for (const name of names) put(place, name, name)
  git(place.root, "add", "-A")
  if (version === 3) {
    put(place, "later", "")
    git(place.root, "add", "--intent-to-add", "later")
  }
  const file = nodePath.join(place.root, ".git/index")
  const { files, folders } = readTracked(file)
  const expected = git(place.root, "ls-files", "-z").split("\0").slice(0, -1)
  expect(fs.readFileSync(file).readUInt32BE(4)).toBe(version)
  expect([...files].sort()).toEqual(expected.sort())
  expect(folders.has("deep/er/and")).toBe(true)
  expect(folders.has("deep/er/and/deeper/file")).toBe(false)
})

test("a file that is tracked and ignored is covered, whatever the version", async () => {
  git(place.root, "init", "-q")
  git(place.root, "config", "index.version", "4")
  for (const name of ["build/kept-in-git-1", "build/kept-in-git-2", "build/made"]) put(place, name, name)
  put(place, ".gitignore", "build/\n")
  git(place.root, "add", "-f", "build/kept-in-git-1", "build/kept-in-git-2")
  const workspace = await openAt(place)
  expect((await workspace.snapshot()).changed.sort()).toEqual([
    ".gitignore",
    "build/kept-in-git-1",
    "build/kept-in-git-2",
  ])
  await workspace.close()
})

test.each(["sha1", "sha256"])("a split index, and names of objects in %s", (format) => {
  git(place.root, "init", "-q", `--object-format=${format}`)
  for (const name of names) put(place, name, name)
  git(place.root, "add", "-A")
  git(place.root, "update-index", "--split-index")
  put(place, "zz", "changed")
  put(place, "new/one", "new")
  git(place.root, "add", "-A")
  const shared = fs.readdirSync(nodePath.join(place.root, ".git")).filter((name) => name.startsWith("sharedindex."))
  expect(shared).toHaveLength(1)
  const { files, folders } = projectAt(place.root)?.tracked() ?? {}
  const expected = git(place.root, "ls-files", "-z").split("\0").slice(0, -1)
  expect([...(files ?? [])].sort()).toEqual(expected.sort())
  expect(folders?.has("new")).toBe(true)
})

test("core.excludesFile of a repository applies there, instead of what the person ignores everywhere", async () => {
  git(place.root, "init", "-q")
  git(place.root, "config", "core.excludesFile", nodePath.join(place.base, "own-rules"))
  fs.writeFileSync(nodePath.join(place.base, "own-rules"), "*.here\n")
  fs.writeFileSync(nodePath.join(place.base, "everywhere"), "*.everywhere\n")
  for (const name of ["a.here", "a.everywhere", "a.txt"]) put(place, name, name)
  const workspace = await openAt(place, { personIgnore: nodePath.join(place.base, "everywhere") })
  const { changed } = await workspace.snapshot()
  await workspace.close()
  expect(changed.sort()).toEqual(
    git(place.root, "ls-files", "--others", "--exclude-standard").trim().split("\n").sort(),
  )
  expect(changed).toEqual(["a.everywhere", "a.txt"])
})
