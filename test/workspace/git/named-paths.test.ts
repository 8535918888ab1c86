// A snapshot that looks only at the paths a tool names is the one that a look at everything would have been.
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { Workspace } from "../../../src/workspace/port.ts"
import { git, openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
let workspace: Workspace
beforeEach(async () => {
  git(place.root, "init", "-q")
  put(place, ".gitignore", "*.log\nbuild/\n")
  put(place, "a.txt", "a")
  put(place, "src/b.txt", "b")
  put(place, "src/deep/c.txt", "c")
  put(place, "old.log", "ignored")
  fs.symlinkSync("a.txt", at("link"))
  workspace = await openAt(place)
  await workspace.snapshot()
})
afterEach(async () => {
  await workspace.close()
})

const at = (path: string) => nodePath.join(place.root, path)
const remove = (path: string) => fs.rmSync(at(path), { recursive: true })

const EDITS: [what: string, edit: () => void, paths: string[]][] = [
  ["a new file", () => put(place, "new.txt", "n"), ["new.txt"]],
  ["a changed file", () => put(place, "src/b.txt", "changed"), ["src/b.txt"]],
  ["other permissions", () => fs.chmodSync(at("a.txt"), 0o755), ["a.txt"]],
  ["a file in new folders", () => put(place, "one/two/d.txt", "d"), ["one/two/d.txt"]],
  [
    "a file in a new folder with permissions of its own",
    () => {
      put(place, "own/d.txt", "d")
      fs.chmodSync(at("own"), 0o700)
    },
    ["own/d.txt"],
  ],
  ["a deleted file", () => remove("src/b.txt"), ["src/b.txt"]],
  ["the last file of a folder", () => remove("src/deep"), ["src/deep/c.txt"]],
  [
    "a file in place of a folder",
    () => {
      remove("src")
      put(place, "src", "now a file")
    },
    ["src", "src/b.txt", "src/deep/c.txt"],
  ],
  [
    "a folder in place of a file",
    () => {
      remove("a.txt")
      put(place, "a.txt/inside", "i")
    },
    ["a.txt/inside"],
  ],
  [
    "a link in place of a file",
    () => {
      remove("src/b.txt")
      fs.symlinkSync("../a.txt", at("src/b.txt"))
    },
    ["src/b.txt"],
  ],
  [
    "a link that leads elsewhere",
    () => {
      remove("link")
      fs.symlinkSync("src/b.txt", at("link"))
    },
    ["link"],
  ],
  ["an ignored file", () => put(place, "more.log", "x"), ["more.log"]],
  ["a file in an ignored folder", () => put(place, "build/out.txt", "x"), ["build/out.txt"]],
  ["a file that is not ignored any more", () => put(place, ".gitignore", "build/\n"), [".gitignore", "old.log"]],
  ["nothing at all", () => undefined, ["a.txt", "not/there.txt", "src/deep"]],
  ["a file named twice", () => put(place, "a.txt", "again"), ["a.txt", "a.txt", "src/../a.txt"]],
]

test.each(EDITS)("%s", async (_, edit, paths) => {
  const before = await workspace.snapshot()
  edit()
  const named = await workspace.snapshot({ paths })
  const whole = await workspace.snapshot()
  expect(whole.id).toBe(named.id)
  expect(whole.changed).toEqual([])
  const changes = await workspace.diff(before.id, named.id)
  expect([...named.changed].sort()).toEqual(
    expect.arrayContaining(changes.filter(({ kind }) => kind !== "folder").map(({ path }) => path)),
  )
})

test("what is named and left out says why", async () => {
  put(place, "build/out.txt", "x")
  const paths = [".git/config", "../outside", "/etc/passwd", "link/below", "old.log", "build/out.txt", "a.txt"]
  const { notCovered } = await workspace.snapshot({ paths })
  expect(Object.fromEntries(notCovered.map(({ path, because }) => [path, because]))).toEqual({
    ".git/config": "git",
    "../outside": "outside",
    "/etc/passwd": "outside",
    "link/below": "outside",
    "old.log": "ignored",
    "build/out.txt": "ignored",
  })
})
