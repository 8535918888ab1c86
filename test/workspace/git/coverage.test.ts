// What cannot be covered is left out by itself, and named; everything else is covered all the same.
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, expect, test, vi } from "vitest"
import { personIgnore } from "../../../src/app/config/person-ignore.ts"
import { get, git, openAt, picture, placeForEach, put } from "../folder.ts"

const place = placeForEach()
afterEach(() => {
  vi.restoreAllMocks()
})

const at = (path: string) => nodePath.join(place.root, path)

test("a tracked file that is too large to read is left out, and nothing else", async () => {
  git(place.root, "init", "-q")
  put(place, "a.txt", "a\n")
  git(place.root, "update-index", "--add", "--cacheinfo", "100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,big.bin")
  put(place, "big.bin", "")
  fs.truncateSync(at("big.bin"), 2 ** 31 + 10)
  const workspace = await openAt(place)
  const { id, notCovered } = await workspace.snapshot()
  expect(notCovered).toEqual([{ path: "big.bin", because: "large" }])
  expect((await workspace.blob(id, "a.txt"))?.toString()).toBe("a\n")
  await workspace.close()
})

test("a file of a gigabyte that is one hole is named as large, and neither read nor forgotten", async () => {
  put(place, "a.txt", "a\n")
  put(place, "disk.img", "")
  fs.truncateSync(at("disk.img"), 2 ** 30)
  const reads = vi.spyOn(fs, "readSync")
  const workspace = await openAt(place)
  const before = await workspace.snapshot()
  fs.rmSync(at("disk.img"))
  const after = await workspace.snapshot()
  expect([before.notCovered, after.notCovered, after.lost]).toEqual([
    [{ path: "disk.img", because: "large" }],
    [],
    ["disk.img"],
  ])
  expect(Math.max(0, ...reads.mock.calls.map(([, into]) => into.byteLength))).toBeLessThan(10_000_000)
  await workspace.close()
})

test("where git is told to ignore case and the disk does not, each spelling is a file of its own", async () => {
  git(place.root, "init", "-q")
  git(place.root, "config", "core.ignoreCase", "true")
  put(place, "readme.md", "words\n")
  put(place, "src/A.txt", "a\n")
  git(place.root, "add", "-A")
  const workspace = await openAt(place)
  const begin = picture(place.root, { without: [".git"] })
  const before = (await workspace.snapshot()).id
  fs.renameSync(at("readme.md"), at("README.md"))
  put(place, "src/a.txt", "another\n")
  const end = picture(place.root, { without: [".git"] })
  const after = (await workspace.snapshot()).id
  const done = await workspace.restore(await workspace.planRestore({ steps: [{ before, after }] }))
  if (done.outcome !== "restored") throw new Error(done.because)
  expect(picture(place.root, { without: [".git"] })).toEqual(begin)
  const { before: from, after: to } = done
  await workspace.restore(await workspace.planRestore({ steps: [{ before: from, after: to }] }))
  expect(picture(place.root, { without: [".git"] })).toEqual(end)
  await workspace.close()
})

test.skipIf(process.getuid?.() !== 0)("a folder that lost its permission is left out alone", async () => {
  put(place, "a.txt", "a\n")
  put(place, "locked/b.txt", "b\n")
  put(place, "listed/c.txt", "c\n")
  fs.chownSync(place.base, 65534, 65534)
  for (const name of fs.readdirSync(place.base, { recursive: true }))
    fs.chownSync(nodePath.join(place.base, String(name)), 65534, 65534)
  process.seteuid?.(65534)
  try {
    const workspace = await openAt(place)
    await workspace.snapshot()
    fs.chmodSync(at("locked"), 0)
    fs.chmodSync(at("listed"), 0o600)
    put(place, "a.txt", "changed\n")
    const { id, notCovered } = await workspace.snapshot()
    expect(notCovered.map(({ path, because }) => `${path} ${because}`).sort()).toEqual([
      "listed unreadable",
      "locked unreadable",
    ])
    expect((await workspace.blob(id, "a.txt"))?.toString()).toBe("changed\n")
    await workspace.close()
  } finally {
    process.seteuid?.(0)
  }
})

test("what is nested deeper than a path may be long is left out and named, and everything else is covered", async () => {
  put(place, "a.txt", "a\n")
  const depth = 30
  const name = "n".repeat(150)
  // Step by step, as only a shell can: no path from the root leads there.
  const script = `for i in $(seq ${depth}); do mkdir ${name}; cd ${name}; echo deep > f; done`
  execFileSync("bash", ["-c", script], { cwd: place.root })
  const workspace = await openAt(place)
  const { id, notCovered } = await workspace.snapshot()
  expect(notCovered.map(({ because }) => because)).toEqual(["long"])
  const left = notCovered[0]?.path ?? ""
  expect(left.split("/").every((each) => each === name || each === "f")).toBe(true)
  put(place, "a.txt", "changed\n")
  const after = await workspace.snapshot({ paths: ["a.txt", `${left}/${name}/f`] })
  expect(after.notCovered).toEqual([{ path: `${left}/${name}/f`, because: "long" }])
  expect((await workspace.diff(id, after.id)).map(({ path }) => path)).toEqual(["a.txt"])
  const plan = await workspace.planRestore({ steps: [{ before: id, after: after.id }] })
  expect((await workspace.restore(plan)).outcome).toBe("restored")
  expect(fs.readFileSync(at("a.txt"), "utf8")).toBe("a\n")
  execFileSync("rm", ["-r", name], { cwd: place.root })
  expect((await workspace.snapshot()).lost).toEqual([left])
  await workspace.close()
})

test("a folder that the repository above ignores is covered: that repository's rules do not apply to it", async () => {
  git(place.base, "init", "-q")
  fs.writeFileSync(nodePath.join(place.base, ".gitignore"), "*\n")
  put(place, "a.txt", "a\n")
  const workspace = await openAt(place)
  const { id } = await workspace.snapshot()
  expect((await workspace.blob(id, "a.txt"))?.toString()).toBe("a\n")
  await workspace.close()
})

test("what the person ignores everywhere is not stored, not even in nested repositories", async () => {
  git(place.root, "init", "-q")
  fs.mkdirSync(at("nested"))
  git(at("nested"), "init", "-q")
  const home = nodePath.join(place.base, "person")
  fs.mkdirSync(nodePath.join(home, ".config/git"), { recursive: true })
  fs.writeFileSync(nodePath.join(home, ".config/git/ignore"), "*.key\n")
  for (const path of ["a.txt", "my.key", "nested/your.key", "nested/b.txt"]) put(place, path, `${path}\n`)
  const stored = async (more: { personIgnore?: string }) => {
    const workspace = await openAt(place, { ...more, session: JSON.stringify(more) })
    const { changed } = await workspace.snapshot()
    await workspace.close()
    return changed.sort()
  }
  expect(await stored(personIgnore({ HOME: home }))).toEqual(["a.txt", "nested/b.txt"])
  fs.writeFileSync(nodePath.join(home, ".gitconfig"), "[core]\n\tautocrlf = true\n\texcludesFile = ~/mine\n")
  fs.writeFileSync(nodePath.join(home, "mine"), "a.txt\n")
  expect(await stored(personIgnore({ HOME: home }))).toEqual(["my.key", "nested/b.txt", "nested/your.key"])
  expect(get(place, "my.key")).toBe("my.key\n")
})

test("a collection by another process while a session is open takes nothing away from it", async () => {
  put(place, "a.txt", "one\n")
  const workspace = await openAt(place)
  const { id } = await workspace.snapshot()
  put(place, "a.txt", "two\n")
  for (let i = 0; i < 60; i++) put(place, `many/${i}`, `${i}\n`)
  const next = await workspace.snapshot()
  const other = await openAt(place, { session: "other", clock: () => Date.now() + 10_000_000 })
  await other.gc({ keep: [id], grace: 0 })
  await other.close()
  put(place, "a.txt", "one\n")
  const last = await workspace.snapshot()
  expect((await workspace.blob(last.id, "a.txt"))?.toString()).toBe("one\n")
  expect((await workspace.blob(next.id, "many/7"))?.toString()).toBe("7\n")
  await workspace.close()
})

test("a file that the agent made and the person has since ignored stays, and is named", async () => {
  const then = await openAt(place)
  const { id: before } = await then.snapshot()
  put(place, ".env", "SECRET\n")
  const { id: after } = await then.snapshot()
  await then.close()
  put(place, ".gitignore", ".env\n")
  const workspace = await openAt(place, { session: "two" })
  const { actions, kept } = await workspace.planRestore({ steps: [{ before, after, paths: [".env"] }] })
  expect({ actions, kept }).toEqual({ actions: [], kept: [{ path: ".env", because: "not-covered" }] })
  fs.rmSync(at(".env"))
  expect((await workspace.planRestore({ steps: [{ before, after, paths: [".env"] }] })).kept).toEqual([])
  await workspace.close()
})
