// Commits are read from a repository as data, wherever git has put them; git itself says what is right.
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { Workspace } from "../../../src/workspace/port.ts"
import { git, openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
let workspace: Workspace
beforeEach(async () => {
  workspace = await openAt(place)
})
afterEach(async () => {
  await workspace.close()
})

function repository(path = "", ...options: string[]): string {
  const folder = nodePath.join(place.root, path)
  put(place, nodePath.join(path, "a.txt"), "a\n")
  git(folder, "init", "-q", "-b", "main", ...options)
  git(folder, "add", "a.txt")
  commit(folder, "before")
  return folder
}

/** With the same long body each time, so that packs hold deltas. */
function commit(folder: string, subject: string): void {
  const body = Array.from({ length: 60 }, (_, i) => `line ${i} of a long description`).join("\n")
  git(folder, "commit", "-q", "--allow-empty", "-m", subject, "-m", body)
}

/** How many commits a repository's packs hold as deltas. */
function deltas(folder: string): number {
  const packs = nodePath.join(folder, ".git/objects/pack")
  const names = fs.readdirSync(packs).filter((name) => name.endsWith(".idx"))
  const rows = names.flatMap((name) => git(folder, "verify-pack", "-v", nodePath.join(packs, name)).split("\n"))
  return rows.filter((row) => /^[0-9a-f]+ commit .* \d+ [0-9a-f]{40,}$/.test(row)).length
}

const headOf = (folder: string) => git(folder, "rev-parse", "HEAD").trim()
const listed = (folder: string, range: string) => git(folder, "log", "--format=%H %s", range).trim().split("\n")

async function found(path: string, from: string | undefined, to: string, most = 100) {
  const { commits, more } = await workspace.commits({ path, from, to, since: Date.now() - 60_000, most })
  return { commits: commits.map((each) => `${each.commit} ${each.subject}`).sort(), more }
}

test.each([[[]], [["--object-format=sha256"]]])("loose or packed, with deltas or without (%j)", async (options) => {
  const folder = repository("", ...options)
  const from = headOf(folder)
  for (let i = 0; i < 12; i++) commit(folder, `commit ${i}`)
  const expected = { commits: listed(folder, `${from}..HEAD`).sort(), more: 0 }
  expect(expected.commits).toHaveLength(12)
  expect(await found("", from, headOf(folder))).toEqual(expected)
  git(folder, "gc", "-q")
  expect(git(folder, "count-objects", "-v")).toContain("count: 0")
  expect(deltas(folder)).toBeGreaterThan(3)
  expect(await found("", from, headOf(folder))).toEqual(expected)
})

test("of a branch without commits, a linked worktree, a nested repository and a merge", async () => {
  const folder = repository("nested")
  const first = headOf(folder)
  expect(await found("nested", undefined, first)).toMatchObject({ commits: [`${first} before`] })
  git(folder, "worktree", "add", "-q", "-b", "side", nodePath.join(place.root, "side"))
  const side = nodePath.join(place.root, "side")
  commit(side, "on the side")
  expect(await found("side", first, headOf(side))).toEqual({ commits: [`${headOf(side)} on the side`], more: 0 })
  commit(folder, "on main")
  git(folder, "merge", "-q", "--no-edit", "side")
  const all = await found("nested", first, headOf(folder))
  expect(all.commits).toEqual(listed(folder, `${first}..HEAD`).sort())
})

test("only so many are named, newest first, and the rest is counted; subjects are one plain line", async () => {
  const folder = repository()
  const from = headOf(folder)
  for (let i = 0; i < 5; i++) commit(folder, i === 4 ? "red \u001b[31m\u0007 text" : `commit ${i}`)
  const { commits, more } = await workspace.commits({ path: "", from, to: headOf(folder), since: 0, most: 2 })
  expect([commits.length, more]).toEqual([2, 3])
  expect(commits.map(({ subject }) => subject).join()).not.toMatch(/\p{Cc}/u)
})

test.each([
  ["s".repeat(120), "s".repeat(120)],
  ["s".repeat(121), `${"s".repeat(119)}…`],
])("a subject has at most 120 characters: %s", async (subject, shown) => {
  const folder = repository()
  const from = headOf(folder)
  commit(folder, subject)
  expect(await found("", from, headOf(folder))).toEqual({ commits: [`${headOf(folder)} ${shown}`], more: 0 })
})

test("a switch to a branch that was there makes no commits; what cannot be read is left out", async () => {
  const folder = repository()
  const from = headOf(folder)
  commit(folder, "made")
  const to = headOf(folder)
  const later = Date.now() + 3_600_000
  expect(await workspace.commits({ path: "", from, to, since: later, most: 9 })).toEqual({ commits: [], more: 0 })
  const nothing = { commits: [], more: 0 }
  expect(await found("", from, "1".repeat(40))).toEqual(nothing)
  expect(await found("not/there", from, to)).toEqual(nothing)
})
