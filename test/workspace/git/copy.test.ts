// Copies of a workspace: equal to the snapshot, with repositories that work, and apart from the original in all that is written.
import fs from "node:fs"
import nodePath from "node:path"
import { expect, test } from "vitest"
import { copiesIn, copyAt } from "../../../src/workspace/git/copy/copied-folder.ts"
import { removeCopy } from "../../../src/workspace/git/copy/remove-copy.ts"
import { storeOf, storesFolder } from "../../../src/workspace/git/project/store-folder.ts"
import type { CopyReport, Workspace } from "../../../src/workspace/port.ts"
import { git, openAt, picture, placeForEach, put } from "../folder.ts"

const place = placeForEach()

async function copyNow(workspace: Workspace, name = "one", more = {}): Promise<CopyReport> {
  const { id } = await workspace.snapshot()
  return workspace.copy({ snapshot: id, name, ...more })
}

function repository(): void {
  git(place.root, "init", "-q", "-b", "main")
  put(place, "tracked.txt", "one\n")
  git(place.root, "add", ".")
  git(place.root, "commit", "-q", "-m", "first")
}

test("a copy has every covered file, link and folder, with its permissions and odd names", async () => {
  put(place, "a/b/c.txt", "text")
  put(place, "run.sh", "#!/bin/sh\n", 0o750)
  put(place, "secret", "s", 0o400)
  fs.mkdirSync(`${place.root}/empty`)
  fs.mkdirSync(`${place.root}/closed`)
  put(place, "closed/file", "inside")
  fs.chmodSync(`${place.root}/closed`, 0o555)
  fs.symlinkSync("/etc/hostname", `${place.root}/out`)
  fs.symlinkSync("a/b", `${place.root}/within`)
  fs.writeFileSync(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from([0x6e, 0xff, 0x0a])]), "not UTF-8")
  const workspace = await openAt(place)
  const { folder, files } = await copyNow(workspace)
  expect(picture(folder)).toEqual(picture(place.root))
  expect(files).toBe(7)
  await workspace.close()
  removeCopy(place.home, "one", Date.now())
  expect(copiesIn(place.home)).toEqual([])
  fs.chmodSync(`${place.root}/closed`, 0o755)
})

test("what changed after the snapshot is copied as the snapshot has it", async () => {
  for (const name of ["changed", "deleted", "replaced", "same"]) put(place, name, `${name} then\n`)
  const workspace = await openAt(place)
  const { id } = await workspace.snapshot()
  const then = picture(place.root)
  put(place, "changed", "now\n")
  fs.rmSync(`${place.root}/deleted`)
  fs.rmSync(`${place.root}/replaced`)
  fs.symlinkSync("/etc/passwd", `${place.root}/replaced`)
  put(place, "new", "not then")
  const { folder } = await workspace.copy({ snapshot: id, name: "one" })
  expect(picture(folder)).toEqual(then)
  await workspace.close()
})

test("a first snapshot in the copy has the same id, and both share their objects", async () => {
  put(place, "a.txt", "text")
  const workspace = await openAt(place)
  const { id } = await workspace.snapshot()
  const { folder } = await copyNow(workspace)
  const copy = await openAt({ ...place, root: folder }, { session: "two" })
  expect((await copy.snapshot()).id).toBe(id)
  fs.writeFileSync(`${folder}/a.txt`, "by the attempt\n")
  const after = await copy.snapshot()
  expect(Buffer.from((await workspace.blob(after.id, "a.txt")) ?? []).toString()).toBe("by the attempt\n")
  expect(fs.existsSync(nodePath.join(storesFolder(place.home), storeOf(place.home, folder) ?? "", "objects"))).toBe(
    false,
  )
  await copy.close()
  await workspace.close()
})

test("a restore that was killed in the copy is finished there, and never in the original", async () => {
  put(place, "f", "one\n")
  put(place, "g", "g\n")
  const workspace = await openAt(place)
  const { folder } = await copyNow(workspace)
  const at = { ...place, root: folder }
  const copy = await openAt(at, { session: "two" })
  const before = await copy.snapshot()
  fs.writeFileSync(`${folder}/f`, "one\nby the attempt\n")
  fs.rmSync(`${folder}/g`)
  const after = await copy.snapshot()
  const plan = await copy.planRestore({ steps: [{ before: before.id, after: after.id }] })
  let reached = () => {}
  const inPlace = new Promise<void>((settle) => (reached = settle))
  // Nobody answers, as if it had been killed before its record.
  void copy.restore(plan, { record: () => new Promise(() => reached()) })
  await inPlace
  const store = storeOf(place.home, folder) ?? ""
  const journal = fs
    .readdirSync(nodePath.join(storesFolder(place.home), store))
    .find((name) => /journal|restore/.test(name))
  const file = nodePath.join(storesFolder(place.home), store, journal ?? "")
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replaceAll(`${process.pid}`, "999999"))
  const original = picture(place.root)
  expect(await workspace.recover()).toEqual({ outcome: "nothing" })
  expect(picture(place.root)).toEqual(original)
  const again = await openAt(at, { session: "three" })
  expect(await again.recover()).toMatchObject({ outcome: "rolled-back", files: ["f", "g"] })
  expect(picture(place.root)).toEqual(original)
  await again.close()
  await workspace.close()
})

test("in a copy of a repository git works, runs no hook of it, and the original stays bit for bit", async () => {
  repository()
  put(place, "tracked.txt", "one\nchanged\n")
  put(place, ".git/hooks/pre-commit", "#!/bin/sh\ntouch /tmp/never; exit 1\n", 0o755)
  git(place.root, "config", "core.sshCommand", "touch /tmp/never")
  git(place.root, "config", "remote.origin.url", "https://example.com/a.git")
  const workspace = await openAt(place)
  const { folder } = await copyNow(workspace)
  const original = picture(place.root)
  expect(git(folder, "status", "--short")).toBe(" M tracked.txt\n")
  expect(git(folder, "log", "--format=%s")).toBe("first\n")
  expect(git(folder, "config", "--local", "--list")).not.toMatch(/sshcommand/i)
  expect(git(folder, "remote", "get-url", "origin").trim()).toBe("https://example.com/a.git")
  git(folder, "commit", "-q", "-a", "-m", "in the copy")
  git(folder, "checkout", "-q", "-b", "side")
  git(folder, "gc", "-q")
  expect(git(folder, "fsck")).toBe("")
  expect(picture(place.root)).toEqual(original)
  git(place.root, "fetch", "-q", folder, "side")
  expect(git(place.root, "log", "--format=%s", "FETCH_HEAD")).toBe("in the copy\nfirst\n")
  await workspace.close()
})

test.each<[string, () => string]>([
  ["without a commit", () => (git(place.root, "init", "-q"), put(place, "a", "a"), place.root)],
  [
    "whose references are packed",
    () => (repository(), git(place.root, "pack-refs", "--all"), git(place.root, "gc", "-q"), place.root),
  ],
  [
    "that is shallow",
    () => {
      repository()
      git(place.root, "commit", "-q", "--allow-empty", "-m", "second")
      const shallow = nodePath.join(place.base, "shallow")
      git(place.base, "clone", "-q", "--depth", "1", `file://${place.root}`, shallow)
      return shallow
    },
  ],
  [
    "that is a linked worktree",
    () => {
      repository()
      const linked = nodePath.join(place.base, "linked")
      git(place.root, "worktree", "add", "-q", "-b", "other", linked)
      return linked
    },
  ],
  [
    "with a submodule",
    () => {
      repository()
      const sub = nodePath.join(place.base, "sub")
      git(place.base, "clone", "-q", place.root, sub)
      git(place.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", sub, "sub")
      git(place.root, "commit", "-q", "-m", "with sub")
      return place.root
    },
  ],
  [
    "that is not whole: files of it are in the folder above",
    () => {
      repository()
      put(place, ".gitignore", "left-out\n")
      put(place, "package/left-out", "ignored from above")
      put(place, "package/own.txt", "own\n")
      git(place.root, "add", ".")
      git(place.root, "commit", "-q", "-m", "package")
      return nodePath.join(place.root, "package")
    },
  ],
])("a copy of a repository %s says the same as the original", async (_, make) => {
  const root = make()
  const workspace = await openAt({ ...place, root })
  const { id } = await workspace.snapshot()
  const { folder } = await workspace.copy({ snapshot: id, name: "one" })
  const at = (where: string) => [git(where, "status", "--short", "."), git(where, "rev-parse", "--abbrev-ref", "--all")]
  expect(at(folder)[0]).toBe(at(root)[0])
  const copy = await openAt({ ...place, root: folder }, { session: "two" })
  expect(await copy.diff(id, (await copy.snapshot()).id)).toEqual([])
  await copy.close()
  await workspace.close()
})

test("of what is ignored, it has what .worktreeinclude names, and dependencies that fit", async () => {
  repository()
  put(place, ".gitignore", "node_modules/\nbuild/\n.env\nvendor\n")
  put(place, ".worktreeinclude", "# for every copy\n.env\nbuild/keep/\n../outside\n")
  put(place, ".env", "KEY=1")
  put(place, "build/keep/a", "kept")
  put(place, "build/drop/b", "dropped")
  put(place, "node_modules/dep/index.js", "dep")
  put(place, "vendor/large", "x".repeat(5000))
  fs.symlinkSync("/etc", `${place.root}/node_modules/link`)
  put({ ...place, root: place.base }, "outside", "never")
  const workspace = await openAt(place)
  const report = await copyNow(workspace, "one", { dependencies: 4000 })
  expect(report.carried.sort()).toEqual([".env", "build/keep", "node_modules"])
  expect(report.left).toEqual(["vendor"])
  const read = (path: string) => fs.readFileSync(`${report.folder}/${path}`, "utf8")
  expect([read(".env"), read("build/keep/a"), read("node_modules/dep/index.js")]).toEqual(["KEY=1", "kept", "dep"])
  expect(fs.readlinkSync(`${report.folder}/node_modules/link`)).toBe("/etc")
  expect(fs.existsSync(`${report.folder}/build/drop`)).toBe(false)
  await workspace.close()
})

test("a copy that fails half-way is gone again", async () => {
  put(place, "a", "a")
  const workspace = await openAt(place)
  const stop = new AbortController()
  stop.abort()
  await expect(copyNow(workspace, "one", { signal: stop.signal })).rejects.toThrow(/abort/i)
  expect(fs.readdirSync(nodePath.join(place.home, "attempts"))).toEqual([])
  expect(fs.readdirSync(storesFolder(place.home))).toEqual([storeOf(place.home, place.root)])
  await copyNow(workspace, "one")
  await expect(copyNow(workspace, "one")).rejects.toMatchObject({ code: "exists" })
  expect(copiesIn(place.home)).toMatchObject([{ of: place.root, complete: true }])
  await workspace.close()
})

test("removing a copy follows no link, and takes nothing that is not ours", async () => {
  put(place, "a/keep", "keep")
  const workspace = await openAt(place)
  const { folder } = await copyNow(workspace)
  fs.symlinkSync(place.root, `${folder}/to-the-original`)
  fs.mkdirSync(`${folder}/closed/inside`, { recursive: true })
  fs.chmodSync(`${folder}/closed`, 0o000)
  const attempts = nodePath.join(place.home, "attempts")
  fs.mkdirSync(`${attempts}/mine/files`, { recursive: true })
  fs.symlinkSync(place.root, `${attempts}/link`)
  const original = picture(place.root)
  for (const name of ["mine", "link", "..", "../../work", "nothing"])
    expect(() => removeCopy(place.home, name, Date.now())).toThrow("it is no copy that retcon made")
  removeCopy(place.home, "one", Date.now())
  expect(fs.readdirSync(attempts).sort()).toEqual(["link", "mine"])
  expect(picture(place.root)).toEqual(original)
  expect(fs.readdirSync(storesFolder(place.home))).toEqual([storeOf(place.home, place.root)])
  await workspace.close()
})

test("a copy that another process is making is left alone", async () => {
  put(place, "a", "a")
  const workspace = await openAt(place)
  const { folder } = await copyNow(workspace)
  const mark = nodePath.join(place.home, "attempts", "one", "copy.json")
  fs.writeFileSync(mark, fs.readFileSync(mark, "utf8").replace('"complete":true', '"complete":false'))
  expect(() => removeCopy(place.home, "one", Date.now())).toThrow(`Process ${process.pid} is still making`)
  expect(copyAt(place.home, `${folder}/a`)).toMatchObject({ of: place.root, complete: false })
  await workspace.close()
})

test("gc of the original keeps what a copy builds on, and a copy has no gc of its own", async () => {
  put(place, "a", "a")
  const workspace = await openAt(place)
  const { folder } = await copyNow(workspace)
  const copy = await openAt({ ...place, root: folder }, { session: "two" })
  fs.writeFileSync(`${folder}/a`, "by the attempt\n")
  const { id } = await copy.snapshot()
  await workspace.gc({ keep: [], grace: -1_000_000 })
  await expect(workspace.check(id)).resolves.toBeUndefined()
  fs.writeFileSync(`${folder}/b`, "more\n")
  const { id: more } = await copy.snapshot({ paths: ["b"] })
  await workspace.check(more)
  await expect(copy.gc({ keep: [] })).rejects.toMatchObject({ code: "invalid" })
  await copy.close()
  await workspace.close()
})
