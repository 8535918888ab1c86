// What every Workspace promises. A workspace that covers no files promises to say so, every time, with the reason.
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { parseSnapshotId, type SnapshotId, type Workspace } from "../../src/workspace/port.ts"
import { get, newPlace, type Place, picture, put, removePlace } from "./folder.ts"

export function workspaceContract(open: (place: Place) => Promise<Workspace>): void {
  let place: Place
  let workspace: Workspace
  beforeEach(async () => {
    place = newPlace()
    put(place, "a.txt", "one\ntwo\n")
    put(place, "sub/b.txt", "b\n")
    workspace = await open(place)
  })
  afterEach(async () => {
    await workspace.close()
    removePlace(place)
  })
  const covered = () => workspace.unavailable === undefined

  test("says whether files are covered, and if not, answers every question with the reason", async () => {
    if (covered()) return
    const id = "0".repeat(40) as SnapshotId
    const failure = { failure: { code: "no-workspace", ...workspace.unavailable } }
    await expect(workspace.snapshot()).rejects.toMatchObject(failure)
    await expect(workspace.put([])).rejects.toMatchObject(failure)
    await expect(workspace.diff(id, id)).rejects.toMatchObject(failure)
    await expect(workspace.patch(id, id)).rejects.toMatchObject(failure)
    await expect(workspace.blob(id, "a")).rejects.toMatchObject(failure)
    await expect(workspace.check(id)).rejects.toMatchObject(failure)
    await expect(workspace.planRestore({ steps: [] })).rejects.toMatchObject(failure)
    expect(await workspace.recover()).toEqual({ outcome: "nothing" })
    expect(await workspace.gc({ keep: [] })).toMatchObject({ dropped: [], overBudget: 0 })
  })

  test("looking never changes the workspace", async () => {
    const start = picture(place.root)
    if (covered()) {
      const { id } = await workspace.snapshot()
      await workspace.planRestore({ steps: [{ before: id, after: id }] })
    }
    await workspace.recover()
    await workspace.usage()
    expect(picture(place.root)).toEqual(start)
  })

  describe("where files are covered", () => {
    const only = (name: string, work: () => Promise<void>) =>
      test(name, async ({ skip }) => (covered() ? work() : skip("covers no files")))

    only("given bytes are a snapshot that covers these paths and nothing else", async () => {
      put(place, "sub/new.txt", "new\n")
      put(place, "other.txt", "other\n")
      const files = [
        { path: "a.txt", bytes: Buffer.from("one\n") },
        { path: "sub/b.txt", bytes: Buffer.from("b\n") },
        { path: "sub/new.txt", bytes: null },
        { path: "gone/deep/c.txt", bytes: Buffer.from("c\n") },
      ]
      const start = picture(place.root)
      const before = await workspace.put(files)
      expect(picture(place.root)).toEqual(start)
      expect(await workspace.put([...files].reverse())).toBe(before)
      const { id: now } = await workspace.snapshot()
      const changes = await workspace.diff(before, now)
      expect(changes.map(({ path, change }) => `${change} ${path}`)).toEqual([
        "modified a.txt",
        "deleted gone/deep/c.txt",
        "added sub/new.txt",
      ])
      expect(await workspace.diff(now, await workspace.put([]))).toEqual([])
      const plan = await workspace.planRestore({ steps: [{ before, after: now }] })
      expect(await workspace.restore(plan)).toMatchObject({ outcome: "restored" })
      expect(get(place, "a.txt")).toBe("one\n")
      expect(get(place, "gone/deep/c.txt")).toBe("c\n")
      expect(get(place, "sub/new.txt")).toBeUndefined()
      expect([get(place, "sub/b.txt"), get(place, "other.txt")]).toEqual(["b\n", "other\n"])
    })

    only("given bytes for a file that is not in the workspace are refused", async () => {
      const bytes = Buffer.from("x")
      for (const path of ["../out.txt", "/etc/passwd", ".git/config", "a/../../b", ""])
        await expect(workspace.put([{ path, bytes }])).rejects.toMatchObject({ failure: { code: "unsafe-path" } })
      const both = [
        { path: "a", bytes },
        { path: "a/b", bytes },
      ]
      await expect(workspace.put(both)).rejects.toMatchObject({ failure: { code: "unsafe-path" } })
    })

    only("the same files give the same id, and an id survives being stored", async () => {
      const first = await workspace.snapshot()
      expect(parseSnapshotId(JSON.parse(JSON.stringify(first.id)))).toBe(first.id)
      put(place, "a.txt", "changed\n")
      const second = await workspace.snapshot()
      put(place, "a.txt", "one\ntwo\n")
      expect(second.id).not.toBe(first.id)
      expect((await workspace.snapshot()).id).toBe(first.id)
    })

    only("a change of equal length and restored times is seen", async () => {
      const { id } = await workspace.snapshot()
      const stat = fs.statSync(nodePath.join(place.root, "a.txt"))
      put(place, "a.txt", "ONE\ntwo\n")
      fs.utimesSync(nodePath.join(place.root, "a.txt"), stat.atime, stat.mtime)
      const next = await workspace.snapshot()
      expect(next.changed).toEqual(["a.txt"])
      expect(next.id).not.toBe(id)
    })

    only("a named path that cannot be covered is told by the first snapshot as by any later one", async () => {
      fs.symlinkSync("sub", nodePath.join(place.root, "link"))
      const first = await workspace.snapshot({ paths: ["link/b.txt", "a.txt"] })
      expect(first.notCovered).toEqual([{ path: "link/b.txt", because: "outside" }])
      expect(first.changed.sort()).toEqual(["a.txt", "link", "sub/b.txt"])
      const later = await workspace.snapshot({ paths: ["link/b.txt", "a.txt"] })
      expect(later).toEqual({ ...first, changed: [] })
    })

    only("a snapshot of named paths sees these and nothing else, also when they come and go", async () => {
      const { id } = await workspace.snapshot()
      put(place, "a.txt", "changed\n")
      put(place, "new/deep/c.txt", "c\n")
      fs.rmSync(nodePath.join(place.root, "sub"), { recursive: true })
      const named = await workspace.snapshot({ paths: ["new/deep/c.txt", "sub/b.txt"] })
      expect((await workspace.diff(id, named.id)).map(({ change, path }) => `${change} ${path}`)).toEqual([
        "added new/deep/c.txt",
        "deleted sub/b.txt",
      ])
      const whole = await workspace.snapshot()
      expect((await workspace.diff(named.id, whole.id)).map(({ change, path }) => `${change} ${path}`)).toEqual([
        "modified a.txt",
      ])
    })

    only("a path below a file names nothing, and the file stays what it is", async () => {
      const { id } = await workspace.snapshot()
      expect(await workspace.snapshot({ paths: ["a.txt/below", "a.txt/below/deep"] })).toMatchObject({
        id,
        changed: [],
      })
      fs.rmSync(nodePath.join(place.root, "sub"), { recursive: true })
      put(place, "sub", "a file now\n")
      const named = await workspace.snapshot({ paths: ["sub/b.txt"] })
      expect((await workspace.diff(id, named.id)).map(({ change, path }) => `${change} ${path}`)).toEqual([
        "type sub",
        "deleted sub/b.txt",
      ])
      expect((await workspace.snapshot()).id).toBe(named.id)
    })

    only("a difference has its kind, its counts, and says when it is binary", async () => {
      put(place, "bin", Buffer.from([0, 1, 2]))
      put(place, "mode", "m\n")
      put(place, "type", "t\n")
      const before = (await workspace.snapshot()).id
      put(place, "a.txt", "one\n2\nthree\n")
      put(place, "bin", Buffer.from([0, 1, 3]))
      fs.chmodSync(nodePath.join(place.root, "mode"), 0o600)
      fs.rmSync(nodePath.join(place.root, "type"))
      fs.symlinkSync("a.txt", nodePath.join(place.root, "type"))
      fs.rmSync(nodePath.join(place.root, "sub/b.txt"))
      fs.mkdirSync(nodePath.join(place.root, "empty"))
      const after = (await workspace.snapshot()).id
      const said = (await workspace.diff(before, after)).map(
        ({ path, change, binary, added, removed }) =>
          `${change} ${path} ${binary ? "binary" : added === undefined ? "uncounted" : `+${added} -${removed}`}`,
      )
      expect(said).toEqual([
        "modified a.txt +2 -1",
        "modified bin binary",
        "added empty uncounted",
        "mode mode +0 -0",
        "deleted sub/b.txt +0 -1",
        "type type +1 -1",
      ])
      expect((await workspace.diff(before, after, { paths: ["sub"] })).map(({ path }) => path)).toEqual(["sub/b.txt"])
      expect((await workspace.patch(before, after, { paths: ["a.txt"] })).toString()).toBe(
        "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+three\n",
      )
      expect((await workspace.blob(before, "a.txt"))?.toString()).toBe("one\ntwo\n")
      expect(await workspace.blob(after, "sub/b.txt")).toBeUndefined()
    })

    only("two edits of one file, and a file made and changed, come back to the very beginning", async () => {
      const before = (await workspace.snapshot()).id
      put(place, "a.txt", "first\n")
      put(place, "made", "made\n")
      const middle = (await workspace.snapshot({ paths: ["a.txt", "made"] })).id
      put(place, "a.txt", "second\n")
      put(place, "made", "made again\n")
      const after = (await workspace.snapshot({ paths: ["a.txt", "made"] })).id
      const plan = await workspace.planRestore({
        steps: [
          { before: middle, after },
          { before, after: middle },
        ],
      })
      expect((await workspace.restore(plan)).outcome).toBe("restored")
      expect([get(place, "a.txt"), get(place, "made")]).toEqual(["one\ntwo\n", undefined])
    })

    only("a restore of some paths leaves the others", async () => {
      const before = (await workspace.snapshot()).id
      put(place, "a.txt", "changed\n")
      put(place, "sub/b.txt", "changed\n")
      const after = (await workspace.snapshot()).id
      await workspace.restore(await workspace.planRestore({ steps: [{ before, after }], paths: ["sub"] }))
      expect([get(place, "a.txt"), get(place, "sub/b.txt")]).toEqual(["changed\n", "b\n"])
    })

    only("a restore writes only the files it names", async () => {
      const before = (await workspace.snapshot()).id
      put(place, "a.txt", "changed\n")
      const after = (await workspace.snapshot()).id
      const untouched = fs.statSync(nodePath.join(place.root, "sub/b.txt"))
      await workspace.restore(await workspace.planRestore({ steps: [{ before, after }] }))
      const now = fs.statSync(nodePath.join(place.root, "sub/b.txt"))
      expect([now.ino, now.ctimeMs]).toEqual([untouched.ino, untouched.ctimeMs])
    })

    only("a snapshot that is not there is said to be gone", async () => {
      const gone = "1".repeat(40) as SnapshotId
      const { id } = await workspace.snapshot()
      await expect(workspace.diff(gone, id)).rejects.toMatchObject({
        failure: { code: "snapshot-gone", snapshot: gone },
      })
    })
  })
}
