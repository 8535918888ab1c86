// A snapshot that failed is over: it leaves no file behind, and the next one is right.
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openDisk } from "../../../src/workspace/git/disk/disk.ts"
import { leftBehind, sweepLeftBehind } from "../../../src/workspace/git/doctor/gc.ts"
import { oidOf } from "../../../src/workspace/git/objects/object.ts"
import { startPack } from "../../../src/workspace/git/objects/pack-write.ts"
import type { SnapshotId } from "../../../src/workspace/port.ts"
import { git, openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
const real = { openSync: fs.openSync, readdirSync: fs.readdirSync }
afterEach(() => {
  Object.assign(fs, real)
})

const store = () => {
  const all = nodePath.join(place.home, "workspaces")
  return nodePath.join(all, fs.readdirSync(all)[0] as string)
}

const temporaryFiles = () =>
  fs.readdirSync(place.home, { recursive: true, encoding: "utf8" }).filter((name) => name.includes("tmp-"))

/** What a snapshot has, as git reads it: mode and oid of each path. */
function stored(id: SnapshotId): Map<string, string> {
  const rows = git(store(), "--git-dir", ".", "ls-tree", "-r", `${id}:files`).trimEnd().split("\n")
  return new Map(rows.map((row) => [row.split("\t")[1] as string, row.split("\t")[0] as string]))
}

function onDisk(): Map<string, string> {
  const names = fs.readdirSync(place.root, { recursive: true, encoding: "utf8" })
  const files = names.filter((name) => fs.statSync(nodePath.join(place.root, name)).isFile())
  const oid = (name: string) => oidOf("blob", fs.readFileSync(nodePath.join(place.root, name)))
  return new Map(files.map((name) => [name, `100644 blob ${oid(name)}`]))
}

function failOnce(name: "openSync" | "readdirSync", code: string, isMeant: (path: string) => boolean): void {
  const call = real[name] as (...args: unknown[]) => unknown
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      if (!isMeant(String(args[0]))) return call(...args)
      Object.assign(fs, real)
      throw Object.assign(new Error(`${code}: injected`), { code, path: String(args[0]) })
    },
  })
}

describe("of more files than one thread reads", () => {
  beforeEach(() => {
    for (let i = 0; i < 3000; i++) put(place, `d${i % 20}/f${i}`, `file ${i} `.repeat(400))
  })
  const change = () => {
    for (let i = 0; i < 3000; i++) put(place, `d${i % 20}/f${i}`, `changed ${i} `.repeat(400))
  }

  test("one file that cannot be opened once: the next snapshot has every file's own content", async () => {
    const workspace = await openAt(place)
    await workspace.snapshot()
    change()
    let opened = 0
    failOnce("openSync", "EMFILE", (path) => path.startsWith(`${place.root}/`) && ++opened === 70)
    await expect(workspace.snapshot()).rejects.toMatchObject({ failure: { code: "io" } })
    expect(temporaryFiles()).toEqual([])
    fs.rmSync(nodePath.join(place.root, "d0/f0"))
    const { id } = await workspace.snapshot()
    expect(stored(id)).toEqual(onDisk())
    await workspace.close()
  })

  test.each([1, 2, 3])(
    "a disk that is full at piece %i of the pack: a failure in words, and the space is free again",
    async (piece) => {
      let full = true
      let pieces = 0
      const workspace = await openAt(place, {
        beforeWrite({ write }) {
          if (full && write === "append" && ++pieces === piece)
            throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" })
        },
      })
      for (let i = 0; i < 3000; i++) fs.writeFileSync(nodePath.join(place.root, `d${i % 20}/f${i}`), noise(i))
      await expect(workspace.snapshot()).rejects.toMatchObject({ failure: { code: "disk-full" } })
      expect(temporaryFiles()).toEqual([])
      full = false
      const { id } = await workspace.snapshot()
      expect(stored(id)).toEqual(onDisk())
      await workspace.close()
    },
  )
})

/** Does not compress: the pack is written in several pieces. */
function noise(seed: number): Buffer {
  const bytes = Buffer.alloc(4000)
  for (let i = 0, x = seed + 1; i < bytes.length; i++) {
    x = (x * 1103515245 + 12345) % 2 ** 31
    bytes[i] = x >> 16
  }
  return bytes
}

describe("of a few files", () => {
  test("permissions that the failed one saw are in the next", async () => {
    put(place, "a.sh", "a\n", 0o644)
    put(place, "b.txt", "b\n", 0o644)
    let full = false
    const workspace = await openAt(place, {
      beforeWrite() {
        if (full) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" })
      },
    })
    const before = (await workspace.snapshot()).id
    fs.chmodSync(nodePath.join(place.root, "a.sh"), 0o600)
    put(place, "b.txt", "changed\n")
    full = true
    await expect(workspace.snapshot()).rejects.toMatchObject({ failure: { code: "disk-full" } })
    full = false
    const after = (await workspace.snapshot()).id
    const changes = (await workspace.diff(before, after)).map(({ path, change, newMode }) => [path, change, newMode])
    expect(changes).toEqual([
      ["a.sh", "mode", 0o600],
      ["b.txt", "modified", 0o644],
    ])
    await workspace.close()
  })

  test("an ignore rule that the failed one read applies in the next", async () => {
    git(place.root, "init", "-q")
    put(place, "d/a.log", "a\n")
    put(place, "d/b.txt", "b\n")
    put(place, ".gitignore", "*.log\n")
    // Later than the files, so that folders are not listed again merely because they have just changed.
    const workspace = await openAt(place, { clock: () => Date.now() + 10_000 })
    await workspace.snapshot()
    put(place, ".gitignore", "\n")
    failOnce("readdirSync", "EMFILE", (path) => path === nodePath.join(place.root, "d"))
    await expect(workspace.snapshot()).rejects.toMatchObject({ failure: { code: "io" } })
    const { id } = await workspace.snapshot()
    expect((await workspace.blob(id, "d/a.log"))?.toString()).toBe("a\n")
    await workspace.close()
  })

  test("a file that a look at one path passes over is as it is, not as the last saved index has it", async () => {
    put(place, "a.txt", "old\n")
    const killed = await openAt(place)
    await killed.snapshot()
    put(place, "a.txt", "new\n")
    await killed.snapshot()
    // Never closed: what it knew was not saved.
    put(place, "b.txt", "b\n")
    const next = await openAt(place)
    const { id } = await next.snapshot({ paths: ["b.txt"] })
    expect((await next.blob(id, "a.txt"))?.toString()).toBe("new\n")
    await next.close()
    await killed.close()
  })

  test("an index that cannot be saved costs only time", async () => {
    put(place, "a.txt", "a\n")
    const workspace = await openAt(place)
    await workspace.snapshot()
    put(place, "a.txt", "b\n")
    const { id } = await workspace.snapshot()
    fs.rmSync(`${store()}/indexes`, { recursive: true })
    fs.writeFileSync(`${store()}/indexes`, "in the way")
    await workspace.close()
    fs.rmSync(`${store()}/indexes`)
    const next = await openAt(place)
    expect((await next.snapshot()).id).toBe(id)
    await next.close()
  })
})

describe("what killed processes left", () => {
  /** As a process leaves it that is killed while it writes a pack. */
  function abandoned(): string {
    fs.mkdirSync(nodePath.join(place.home, "workspaces"), { recursive: true })
    const packs = `${store()}/objects/pack`
    startPack(openDisk(), packs)
    const mine = fs.readdirSync(packs).find((name) => name.startsWith("tmp-"))
    const ended = spawnSync(process.execPath, ["--version"]).pid
    const theirs = (mine ?? "").replace(`tmp-${process.pid}-`, `tmp-${ended}-`)
    fs.writeFileSync(`${packs}/${theirs}`, Buffer.alloc(5000))
    return `${packs}/${theirs}`
  }

  test("is found and removed at once, but not what a living process writes", async () => {
    const workspace = await openAt(place)
    put(place, "a.txt", "a\n")
    const { id } = await workspace.snapshot()
    const left = abandoned()
    expect(leftBehind(place.home, Date.now())).toEqual([{ file: left, bytes: 5000 }])
    expect(sweepLeftBehind(place.home, Date.now(), true)).toEqual({ files: 1, bytes: 5000 })
    expect(fs.existsSync(left)).toBe(true)
    expect(sweepLeftBehind(place.home, Date.now(), false)).toEqual({ files: 1, bytes: 5000 })
    expect(leftBehind(place.home, Date.now())).toEqual([])
    expect(temporaryFiles()).toHaveLength(1)
    await workspace.check(id)
    await workspace.close()
  })

  test("of a machine or a version whose processes cannot be told is removed after an hour", async () => {
    const workspace = await openAt(place)
    const names = [
      "tmp-77-0.pack",
      "tmp-1-22-000000000000-0.pack",
      "pack-0123456789012345678901234567890123456789.pack",
    ]
    const files = names.map((name) => `${store()}/objects/pack/${name}`)
    for (const file of files) fs.writeFileSync(file, "half")
    expect(leftBehind(place.home, Date.now())).toEqual([])
    const later = Date.now() + 61 * 60 * 1000
    expect(
      leftBehind(place.home, later)
        .map(({ file }) => file)
        .sort(),
    ).toEqual(files.sort())
    await workspace.close()
  })
})
