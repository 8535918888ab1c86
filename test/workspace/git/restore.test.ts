import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Restored, Workspace } from "../../../src/workspace/port.ts"
import { get, git, openAt, picture, placeForEach, put } from "../folder.ts"

const place = placeForEach()
let workspace: Workspace

beforeEach(async () => {
  git(place.root, "init", "-q")
  put(place, "src/a.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n")
  put(place, "src/b.txt", "b\n")
  git(place.root, "add", "-A")
  git(place.root, "commit", "-qm", "first")
  workspace = await openAt(place)
})

afterEach(async () => {
  await workspace.close()
})

/** What the agent does, between two snapshots. */
async function agent(work: () => void) {
  const before = (await workspace.snapshot()).id
  work()
  const after = (await workspace.snapshot()).id
  return { before, after }
}

function restored(result: Restored) {
  if (result.outcome !== "restored") throw new Error(`not restored: ${JSON.stringify(result)}`)
  return result
}

describe("restore", () => {
  test("deletes nothing once the snapshot of what is there now is gone", async () => {
    const step = await agent(() => put(place, "made.txt", "made\n"))
    const plan = await workspace.planRestore({ steps: [step] })
    expect(plan.files.map(({ path, change }) => `${change} ${path}`)).toEqual(["deleted made.txt"])
    const [store] = fs.readdirSync(nodePath.join(place.home, "workspaces"))
    const objects = nodePath.join(place.home, "workspaces", store ?? "", "objects")
    fs.rmSync(nodePath.join(objects, plan.now.slice(0, 2), plan.now.slice(2)))
    await expect(workspace.restore(plan)).rejects.toMatchObject({ code: "snapshot-gone" })
    expect(get(place, "made.txt")).toBe("made\n")
  })

  test("takes the agent's changes back, and undo brings them back bit for bit", async () => {
    const start = picture(place.root)
    const step = await agent(() => {
      put(place, "src/a.txt", "changed\n")
      put(place, "new/deep/file.txt", "made\n")
      fs.unlinkSync(nodePath.join(place.root, "src/b.txt"))
    })
    const changed = picture(place.root)
    const plan = await workspace.planRestore({ steps: [step] })
    expect(plan.files.map(({ path, change, added, removed }) => `${change} ${path} +${added} -${removed}`)).toEqual([
      "deleted new/deep/file.txt +0 -1",
      "modified src/a.txt +7 -1",
      "added src/b.txt +1 -0",
    ])
    const done = restored(await workspace.restore(plan))
    expect(picture(place.root)).toEqual(start)
    const undo = await workspace.planRestore({ steps: [{ before: done.before, after: done.after }] })
    restored(await workspace.restore(undo))
    expect(picture(place.root)).toEqual(changed)
  })

  test("keeps the person's edit of the same file when it is elsewhere in it", async () => {
    const step = await agent(() => put(place, "src/a.txt", "ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n"))
    put(place, "src/a.txt", "ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n")
    restored(await workspace.restore(await workspace.planRestore({ steps: [step] })))
    expect(get(place, "src/a.txt")).toBe("one\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n")
  })

  test("names a conflict with its lines and both sides, and touches nothing", async () => {
    const step = await agent(() => {
      put(place, "src/a.txt", "ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n")
      put(place, "src/b.txt", "agent\n")
    })
    put(place, "src/a.txt", "mine\ntwo\nthree\nfour\nfive\nsix\nseven\n")
    const before = picture(place.root)
    const plan = await workspace.planRestore({ steps: [step] })
    expect(plan.conflicts).toEqual([
      { path: "src/a.txt", because: "content", parts: [{ line: 1, lines: 1, now: "mine\n", before: "one\n" }] },
    ])
    expect(await workspace.restore(plan)).toMatchObject({ outcome: "refused", because: "conflicts" })
    expect(picture(place.root)).toEqual(before)
  })

  test.each([
    ["theirs", "one\ntwo\n"],
    ["ours", "mine\ntwo\n"],
    ["write-conflicts", "<<<<<<< now\nmine\n=======\none\n>>>>>>> then\ntwo\n"],
  ] as const)("settles a conflict with %s", async (onConflict, expected) => {
    put(place, "src/a.txt", "one\ntwo\n")
    const step = await agent(() => put(place, "src/a.txt", "ONE\ntwo\n"))
    put(place, "src/a.txt", "mine\ntwo\n")
    restored(await workspace.restore(await workspace.planRestore({ steps: [step], onConflict })))
    expect(get(place, "src/a.txt")).toBe(expected)
  })

  test("keeps and names a file that the person changed after the agent made it", async () => {
    const step = await agent(() => put(place, "made/x.txt", "agent\n"))
    put(place, "made/x.txt", "agent and person\n")
    const plan = await workspace.planRestore({ steps: [step] })
    expect(plan.kept).toEqual([{ path: "made/x.txt", because: "changed-since" }])
    restored(await workspace.restore(plan))
    expect(get(place, "made/x.txt")).toBe("agent and person\n")
  })

  test("of a folder that became a file and contains an ignored one is refused in the dry run, with the reason", async () => {
    put(place, ".gitignore", "*.log\n")
    put(place, "was-file", "a file\n")
    const step = await agent(() => {
      fs.unlinkSync(nodePath.join(place.root, "was-file"))
      put(place, "was-file/sub/x.txt", "in a folder\n")
    })
    put(place, "was-file/sub/mine.log", "the person's\n")
    const start = picture(place.root)
    const plan = await workspace.planRestore({ steps: [step] })
    expect(plan.conflicts).toEqual([{ path: "was-file", because: "in-the-way", parts: [] }])
    expect((await workspace.restore(plan)).outcome).toBe("refused")
    expect(picture(place.root)).toEqual(start)
    fs.renameSync(nodePath.join(place.root, "was-file/sub/mine.log"), nodePath.join(place.root, "was-file/mine.log"))
    const named = await workspace.planRestore({ steps: [step] })
    expect(named.conflicts).toMatchObject([{ path: "was-file", holds: "was-file/mine.log" }])
  })

  test("a file with a second name is replaced, not written: the other name may be outside and keeps its bytes", async () => {
    put(place, "../outside", "shared\n")
    const [outside, inside] = [nodePath.join(place.base, "outside"), nodePath.join(place.root, "linked")]
    fs.linkSync(outside, inside)
    const step = await agent(() => fs.appendFileSync(inside, "by the agent\n"))
    restored(await workspace.restore(await workspace.planRestore({ steps: [step] })))
    expect(get(place, "linked")).toBe("shared\n")
    expect(fs.readFileSync(outside, "utf8")).toBe("shared\nby the agent\n")
  })

  test.skipIf(process.platform !== "linux")("opens few files at a time, however many it writes", async () => {
    const step = await agent(() => {
      for (let i = 0; i < 300; i++) put(place, `many/d${i % 60}/f${i}`, `${i}\n`)
    })
    const open = () => fs.readdirSync("/proc/self/fd").length
    const usual = open()
    let most = 0
    const fsync = fs.fsync
    vi.spyOn(fs, "fsync").mockImplementation((file, done) => {
      most = Math.max(most, open())
      fsync(file, done)
    })
    const done = restored(await workspace.restore(await workspace.planRestore({ steps: [step] })))
    restored(
      await workspace.restore(await workspace.planRestore({ steps: [{ before: done.before, after: done.after }] })),
    )
    vi.restoreAllMocks()
    expect(get(place, "many/d7/f7")).toBe("7\n")
    expect(most).toBeGreaterThan(usual)
    expect(most).toBeLessThan(usual + 80)
  })

  test("of a link that was a folder brings the folder and what was in it", async () => {
    const step = await agent(() => {
      fs.rmSync(nodePath.join(place.root, "src"), { recursive: true })
      fs.symlinkSync("elsewhere", nodePath.join(place.root, "src"))
    })
    restored(await workspace.restore(await workspace.planRestore({ steps: [step] })))
    expect(get(place, "src/b.txt")).toBe("b\n")
  })

  test.skipIf(process.getuid?.() !== 0)("by root leaves a file with its owner", async () => {
    const path = nodePath.join(place.root, "src/a.txt")
    fs.chownSync(path, 1234, 1235)
    fs.chownSync(nodePath.join(place.root, "src"), 1236, 1237)
    const step = await agent(() => {
      put(place, "src/a.txt", "changed\n")
      fs.unlinkSync(nodePath.join(place.root, "src/b.txt"))
    })
    restored(await workspace.restore(await workspace.planRestore({ steps: [step] })))
    const owner = (name: string) => {
      const { uid, gid } = fs.statSync(nodePath.join(place.root, name))
      return [uid, gid]
    }
    expect([owner("src/a.txt"), owner("src/b.txt")]).toEqual([
      [1234, 1235],
      [1236, 1237],
    ])
  })
})
