import fs from "node:fs"
import nodePath from "node:path"
import { describe, expect, test } from "vitest"
import { RetconError } from "../../../src/model/failure/retcon-error.ts"
import { openDisk } from "../../../src/workspace/git/disk/disk.ts"
import { printManifest, USUAL } from "../../../src/workspace/git/objects/manifest.ts"
import { printTree, type TreeEntry } from "../../../src/workspace/git/objects/object.ts"
import { openObjects } from "../../../src/workspace/git/objects/objects.ts"
import type { SnapshotId } from "../../../src/workspace/port.ts"
import { get, openAt, picture, placeForEach, put } from "../folder.ts"

const place = placeForEach()
const at = (path: string) => nodePath.join(place.root, path)

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}

describe("a restore that fails half way", () => {
  async function agentsWork() {
    put(place, "a/one.txt", "one\n")
    put(place, "a/two.txt", "two\n", 0o640)
    put(place, "gone/deep/x.txt", "x\n")
    const workspace = await openAt(place)
    const before = (await workspace.snapshot()).id
    put(place, "a/one.txt", "changed\n")
    put(place, "a/two.txt", "changed\n")
    fs.rmSync(at("gone"), { recursive: true })
    put(place, "made/y.txt", "y\n")
    const after = (await workspace.snapshot()).id
    await workspace.close()
    return { before, after }
  }

  test.each(["ENOSPC", "EACCES", "EIO"])(
    "puts everything back at whichever write %s comes, and says so",
    async (code) => {
      const step = await agentsWork()
      const start = picture(place.root)
      let failures = 0
      for (let failAt = 1; ; failAt++) {
        let armed = false
        let writes = 0
        const workspace = await openAt(place, {
          beforeWrite: () => {
            if (armed && ++writes === failAt) throw failure(code)
          },
        })
        const plan = await workspace.planRestore({ steps: [step] })
        armed = true
        const done = await workspace.restore(plan).catch((error: unknown) => error)
        armed = false
        if (writes < failAt) {
          expect(done).toMatchObject({ outcome: "restored" })
          await workspace.close()
          break
        }
        const tidied = (await workspace.recover({ recorded: () => true })).outcome
        if (tidied === "completed") expect(done).toMatchObject({ outcome: "restored" })
        else {
          expect(done).toMatchObject({ failure: { code: "restore-failed", problem: code, rolledBack: true } })
          expect(picture(place.root)).toEqual(start)
          failures++
        }
        await workspace.close()
        if (tidied === "completed") break
      }
      expect(failures).toBeGreaterThan(10)
    },
  )

  test.each(["EPERM", "EOPNOTSUPP", "ENOSYS", "EMLINK"])(
    "puts everything back where a file can have no second name (%s)",
    async (code) => {
      const step = await agentsWork()
      const start = picture(place.root)
      const workspace = await openAt(place, {
        beforeWrite: ({ write }) => {
          if (write === "link") throw failure(code)
        },
      })
      const plan = await workspace.planRestore({ steps: [step] })
      const record = () => Promise.reject(failure("ENOSPC"))
      await expect(workspace.restore(plan, { record })).rejects.toMatchObject({ failure: { rolledBack: true } })
      expect(picture(place.root)).toEqual(start)
      expect(await workspace.restore(await workspace.planRestore({ steps: [step] }))).toMatchObject({
        outcome: "restored",
      })
      expect(get(place, "a/one.txt")).toBe("one\n")
      await workspace.close()
    },
  )

  test("a disk that is full at the end of a first snapshot leaves nothing behind that the next one names", async () => {
    for (let i = 0; i < 60; i++) put(place, `file ${i}`, `content ${i}`)
    let full = true
    const workspace = await openAt(place, {
      beforeWrite: ({ path }) => {
        if (full && path.endsWith(".idx")) throw failure("ENOSPC")
      },
    })
    await expect(workspace.snapshot()).rejects.toMatchObject({ code: "disk-full" })
    full = false
    const { id, changed } = await workspace.snapshot()
    expect(changed).toHaveLength(60)
    await workspace.check(id)
    expect(Buffer.from((await workspace.blob(id, "file 7")) ?? []).toString()).toBe("content 7")
    await workspace.close()
  })

  test("a full disk while a snapshot is taken leaves the session able to take the next one", async () => {
    for (const files of [5, 100]) {
      for (let i = 0; i < files; i++) put(place, `many/${files}-${i}`, `content ${files} ${i}`)
      let full = true
      const workspace = await openAt(place, {
        session: String(files),
        beforeWrite: () => {
          if (full) throw failure("ENOSPC")
        },
      })
      await expect(workspace.snapshot()).rejects.toMatchObject({ code: "disk-full" })
      full = false
      const { id } = await workspace.snapshot()
      expect((await workspace.blob(id, `many/${files}-3`))?.toString()).toBe(`content ${files} 3`)
      await workspace.close()
    }
  })

  test("is refused, untouched, if someone writes after the plan was made, or put back if in the middle of it", async () => {
    const step = await agentsWork()
    let meddle: (() => void) | undefined
    const workspace = await openAt(place, {
      beforeWrite: ({ write, path }) => {
        if (write === "link" && path.endsWith("one.txt")) {
          meddle?.()
          meddle = undefined
        }
      },
    })
    const plan = await workspace.planRestore({ steps: [step] })
    put(place, "a/one.txt", "saved meanwhile\n")
    const now = picture(place.root)
    expect(await workspace.restore(plan)).toEqual({ outcome: "refused", because: "changed", paths: ["a/one.txt"] })
    expect(picture(place.root)).toEqual(now)

    put(place, "a/one.txt", "changed\n")
    const again = await workspace.planRestore({ steps: [step] })
    meddle = () => put(place, "a/two.txt", "saved in the middle\n")
    expect(await workspace.restore(again)).toMatchObject({
      outcome: "refused",
      because: "changed",
      paths: ["a/two.txt"],
    })
    expect(get(place, "a/one.txt")).toBe("changed\n")
    expect(get(place, "a/two.txt")).toBe("saved in the middle\n")
    expect(get(place, "made/y.txt")).toBe("y\n")
    await workspace.close()
  })

  test("a record that cannot be written puts the files back", async () => {
    const step = await agentsWork()
    const start = picture(place.root)
    const workspace = await openAt(place)
    const record = async () => {
      throw failure("ENOSPC")
    }
    const plan = await workspace.planRestore({ steps: [step] })
    await expect(workspace.restore(plan, { record })).rejects.toMatchObject({
      failure: { code: "restore-failed", rolledBack: true },
    })
    expect(picture(place.root)).toEqual(start)
    // If the session itself is gone, that is what the person is told.
    const gone = new RetconError({ code: "vanished", path: "session.jsonl" })
    const again = await workspace.planRestore({ steps: [step] })
    await expect(workspace.restore(again, { record: () => Promise.reject(gone) })).rejects.toBe(gone)
    expect(picture(place.root)).toEqual(start)
    await workspace.close()
  })
})

describe("a path that leads elsewhere", () => {
  /** A snapshot as an enemy would store it: with any names at all. */
  function forge(entries: TreeEntry[]): SnapshotId {
    const folder = nodePath.join(
      place.home,
      "workspaces",
      fs.readdirSync(nodePath.join(place.home, "workspaces"))[0] as string,
    )
    const objects = openObjects(openDisk(), nodePath.join(folder, "objects"), () => Date.now())
    const blob = objects.write("blob", Buffer.from("evil\n"))
    const tree = (list: TreeEntry[]) => objects.write("tree", printTree(list))
    const files = tree(
      entries.map((entry) => ({
        ...entry,
        oid: entry.oid === "blob" ? blob : tree([{ mode: "100755", name: "x", oid: blob }]),
      })),
    )
    const manifest = objects.write(
      "blob",
      printManifest({ usual: USUAL, perms: new Map(), skipped: new Map(), repositories: [] }),
    )
    const id = tree([
      { mode: "40000", name: "files", oid: files },
      { mode: "100644", name: "manifest", oid: manifest },
    ])
    objects.close()
    return id as SnapshotId
  }

  test.each([
    ["40000", ".git"],
    ["40000", ".GIT"],
    ["40000", "git~1"],
    ["40000", ".g\u200cit"],
    ["40000", ".git "],
    ["40000", ".."],
    ["100644", "."],
    ["100644", "../x"],
    ["100644", "a/b"],
    ["100644", ""],
  ])("is refused: %s %j", async (mode, name) => {
    const workspace = await openAt(place)
    put(place, "a", "a")
    const after = (await workspace.snapshot()).id
    const before = forge([{ mode, name, oid: mode === "40000" ? "tree" : "blob" }])
    const all = picture(place.base)
    await expect(workspace.planRestore({ steps: [{ before, after }] })).rejects.toMatchObject({
      failure: { code: "unsafe-path" },
    })
    expect(picture(place.base, { without: ["home"] })).toEqual(
      Object.fromEntries(Object.entries(all).filter(([path]) => !path.startsWith("home"))),
    )
    await workspace.close()
  })

  test("a plan that names one is refused before anything is touched", async () => {
    const workspace = await openAt(place)
    put(place, "a", "a")
    const now = (await workspace.snapshot()).id
    const [oid] = (await workspace.diff(forge([]), now)).map((change) => change.newOid)
    for (const path of ["../x", ".git/hooks/x", "/etc/x", "a/../../x", "nested/.git/config"]) {
      const plan = {
        now,
        actions: [{ path, from: undefined, to: { kind: "file" as const, oid: oid as string, perm: 0o755 } }],
        files: [],
        kept: [],
        untaken: [],
        uncertain: [],
        conflicts: [],
        notCovered: [],
        repositories: [],
      }
      await expect(workspace.restore(plan)).rejects.toMatchObject({ failure: { code: "unsafe-path", path } })
    }
    await workspace.close()
  })

  test("through a link to outside is not followed: the file outside stays as it is", async () => {
    fs.mkdirSync(nodePath.join(place.base, "outside"))
    fs.writeFileSync(nodePath.join(place.base, "outside/x"), "outside\n")
    put(place, "d/x", "inside\n")
    const workspace = await openAt(place)
    const before = (await workspace.snapshot()).id
    put(place, "d/x", "changed\n")
    const after = (await workspace.snapshot()).id
    const plan = await workspace.planRestore({ steps: [{ before, after }] })
    fs.rmSync(at("d"), { recursive: true })
    fs.symlinkSync("../outside", at("d"))
    await expect(workspace.restore(plan)).rejects.toMatchObject({ failure: { code: "unsafe-path" } })
    const replanned = await workspace.planRestore({ steps: [{ before, after }] })
    expect(replanned.kept).toEqual([{ path: "d/x", because: "deleted-since" }])
    await workspace.restore(replanned)
    expect(fs.readFileSync(nodePath.join(place.base, "outside/x"), "utf8")).toBe("outside\n")
    await workspace.close()
  })
})

describe("a snapshot that cannot be written is refused with our message, whatever the system says", () => {
  test.each([
    ["ENOSPC", "disk-full"],
    ["EROFS", "read-only"],
    ["EIO", "io"],
  ])("%s is %s", async (code, told) => {
    put(place, "one.txt", "one\n")
    let armed = true
    const beforeWrite = () => {
      if (armed) throw failure(code)
    }
    const workspace = await openAt(place, { beforeWrite })
    await expect(workspace.snapshot()).rejects.toMatchObject({ name: "RetconError", code: told })
    armed = false
    expect((await workspace.snapshot()).id).toMatch(/./)
    await workspace.close()
  })

  test("a home that is a file cannot be opened", async () => {
    fs.rmSync(place.home, { recursive: true, force: true })
    fs.writeFileSync(place.home, "")
    await expect(openAt(place)).rejects.toMatchObject({ name: "RetconError", code: "io" })
  })
})
