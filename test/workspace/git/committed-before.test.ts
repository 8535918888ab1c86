// What files held in a commit, read from a real repository without git.
import fs from "node:fs"
import nodePath from "node:path"
import { deflateSync } from "node:zlib"
import { beforeEach, expect, test } from "vitest"
import { committedBefore } from "../../../src/workspace/git/project/committed-before.ts"
import { git, placeForEach, put } from "../folder.ts"

const place = placeForEach()
beforeEach(() => {
  git(place.root, "init", "-q")
})

function commit(): string {
  git(place.root, "add", "-A")
  git(place.root, "commit", "-qm", "x", "--allow-empty")
  return git(place.root, "rev-parse", "HEAD").trim()
}

function between(from: string, to: string) {
  const found = committedBefore(place.root, { from, to })
  return Object.fromEntries(
    found.map(({ path, bytes, perm }) => [path, [bytes && Buffer.from(bytes).toString(), perm?.toString(8)]]),
  )
}

test("only what differs is returned, with a permission if it changed", () => {
  put(place, "same/a.txt", "a\n")
  put(place, "run.sh", "#!\n", 0o755)
  put(place, "text.txt", "one\n")
  const from = commit()
  put(place, "run.sh", "#!\n", 0o644)
  put(place, "text.txt", "two\n")
  put(place, "more/b.txt", "b\n")
  expect(between(from, commit())).toEqual({
    "run.sh": ["#!\n", "755"],
    "text.txt": ["one\n", undefined],
    "more/b.txt": [null, undefined],
  })
})

test("a file that became a folder, and the other way round", () => {
  put(place, "a", "file\n")
  put(place, "b/inner.txt", "inner\n")
  const from = commit()
  for (const path of ["a", "b"]) fs.rmSync(nodePath.join(place.root, path), { recursive: true })
  put(place, "a/inner.txt", "inner\n")
  put(place, "b", "file\n")
  expect(between(from, commit())).toEqual({
    a: ["file\n", "644"],
    "a/inner.txt": [null, undefined],
    "b/inner.txt": ["inner\n", "644"],
  })
})

test("links, large files and pointers to files elsewhere are left out: their bytes are not the file's", () => {
  fs.symlinkSync("text.txt", nodePath.join(place.root, "link"))
  put(place, "large.bin", Buffer.alloc(1 << 21))
  put(place, "lfs.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
  const from = commit()
  for (const path of ["link", "large.bin", "lfs.bin"]) fs.rmSync(nodePath.join(place.root, path))
  expect(between(from, commit())).toEqual({})
})

test("a commit that does not exist, and a folder without a repository, return nothing", () => {
  const there = commit()
  expect(between(there, "a".repeat(40))).toEqual({})
  expect(between("--help", there)).toEqual({})
  fs.rmSync(nodePath.join(place.root, ".git"), { recursive: true })
  expect(between(there, there)).toEqual({})
})

test("folders that contain themselves are not read forever", () => {
  const forge = (oid: string, type: string, data: Buffer) => {
    const file = nodePath.join(place.root, ".git/objects", oid.slice(0, 2), oid.slice(2))
    fs.mkdirSync(nodePath.dirname(file), { recursive: true })
    fs.writeFileSync(file, deflateSync(Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data])))
  }
  const [one, two] = ["1", "2"].map((digit) => {
    const [tree, commit] = [digit.repeat(40), `c${digit.repeat(39)}`]
    const entry = (name: string) => Buffer.concat([Buffer.from(`40000 ${name}\0`), Buffer.from(tree, "hex")])
    forge(tree, "tree", Buffer.concat([entry("a"), entry("b")]))
    forge(commit, "commit", Buffer.from(`tree ${tree}\n\nx\n`))
    return commit
  }) as [string, string]
  expect(between(one, two)).toEqual({})
})
