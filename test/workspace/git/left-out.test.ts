// What a snapshot left out may have been there all the time: nobody made it, and no restore may delete it.
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Workspace } from "../../../src/workspace/port.ts"
import { get, git, openAt, picture, placeForEach, put } from "../folder.ts"

const place = placeForEach()
let workspace: Workspace

beforeEach(async () => {
  workspace = await openAt(place)
})

afterEach(async () => {
  await workspace.close()
})

/** Snapshots around `work`, and a restore that takes back all that it did. */
async function takeBack(work: () => void) {
  const before = (await workspace.snapshot()).id
  work()
  const after = (await workspace.snapshot()).id
  const changed = (await workspace.diff(before, after)).map(({ path }) => path)
  const plan = await workspace.planRestore({ steps: [{ before, after }] })
  return { changed, plan, restored: await workspace.restore(plan) }
}

describe("a file that was left out and is covered later", () => {
  test.each([
    [
      "because it was added to the repository",
      ["secret.env", "build/out.bin"],
      () => {
        put(place, ".gitignore", "secret.env\nbuild\n")
        put(place, "secret.env", "key\n")
        put(place, "build/out.bin", "made yesterday\n")
      },
      () => {
        git(place.root, "add", "-f", "secret.env", "build")
        git(place.root, "commit", "-qm", "all")
      },
    ],
    [
      "because the ignore file, which ignored itself, is gone",
      [".venv/lib/a.py", ".venv/pyvenv.cfg"],
      () => {
        put(place, ".venv/.gitignore", "*\n")
        put(place, ".venv/lib/a.py", "a\n")
        put(place, ".venv/pyvenv.cfg", "cfg\n")
      },
      () => fs.rmSync(nodePath.join(place.root, ".venv/.gitignore")),
    ],
    [
      "because the rule is gone",
      ["results/one.csv"],
      () => {
        put(place, ".gitignore", "results\n")
        put(place, "results/one.csv", "1\n")
      },
      () => put(place, ".gitignore", ""),
    ],
    [
      "because it got small",
      ["data.bin"],
      () => put(place, "data.bin", Buffer.alloc(10_000_001)),
      () => put(place, "data.bin", "small\n"),
    ],
  ])("is not the agent's, and stays: %s", async (_, paths, prepare, work) => {
    git(place.root, "init", "-q")
    prepare()
    const { changed, restored } = await takeBack(() => {
      work()
      put(place, "made.txt", "by the agent\n")
    })
    const expected = Object.fromEntries(paths.map((path) => [path, get(place, path)]))
    expect(changed.filter((path) => paths.some((each) => each === path || each.startsWith(`${path}/`)))).toEqual([])
    expect(restored.outcome).toBe("restored")
    expect(Object.fromEntries(paths.map((path) => [path, get(place, path)]))).toEqual(expected)
    expect(Object.values(expected)).not.toContain(undefined)
    expect(get(place, "made.txt")).toBeUndefined()
  })

  test("is known as left out even by a session that was opened again and looked at only one path", async () => {
    git(place.root, "init", "-q")
    put(place, ".gitignore", "*.log\n")
    put(place, "a.log", "old\n")
    put(place, "b.txt", "b\n")
    await workspace.snapshot()
    await workspace.close()
    workspace = await openAt(place)
    put(place, "sub/c.txt", "new\n")
    const before = (await workspace.snapshot({ paths: ["sub/c.txt"] })).id
    put(place, ".gitignore", "")
    const after = (await workspace.snapshot()).id
    expect((await workspace.diff(before, after)).map(({ path }) => path)).toEqual([".gitignore"])
  })
})

test("what the agent made is taken back even when a rule ignores it by then", async () => {
  git(place.root, "init", "-q")
  put(place, ".gitignore", "*.log\n")
  const { changed, restored } = await takeBack(() => {
    put(place, "made.log", "by the agent\n")
    git(place.root, "add", "-f", "made.log")
  })
  expect([changed, restored.outcome, get(place, "made.log")]).toEqual([["made.log"], "restored", undefined])
})

test("undo of a restore is exact when an ignore file was among the changes", async () => {
  git(place.root, "init", "-q")
  put(place, ".gitignore", "*.log\nout\n")
  put(place, "kept.log", "the person's\n")
  const work = () => {
    put(place, ".gitignore", "*.tmp\n")
    put(place, "new.log", "by the agent\n")
    put(place, "out/deep/x.txt", "by the agent\n")
    put(place, "y.tmp", "ignored by now\n")
  }
  const before = (await workspace.snapshot()).id
  work()
  const after = (await workspace.snapshot()).id
  const start = picture(place.root, { without: [".git"] })
  const restored = await workspace.restore(await workspace.planRestore({ steps: [{ before, after }] }))
  if (restored.outcome !== "restored") throw new Error(restored.because)
  expect([get(place, "new.log"), get(place, "kept.log")]).toEqual([undefined, "the person's\n"])
  const { before: from, after: to } = restored
  const undone = await workspace.restore(await workspace.planRestore({ steps: [{ before: from, after: to }] }))
  expect(undone.outcome).toBe("restored")
  expect(picture(place.root, { without: [".git"] })).toEqual(start)
})

test("what a restore brings back is undone with it, even when the restored rules ignore it", async () => {
  put(place, ".gitignore", "*.env\n")
  put(place, "d/local.env", "key\n")
  const before = (await workspace.snapshot()).id
  fs.rmSync(nodePath.join(place.root, ".gitignore"))
  const between = (await workspace.snapshot()).id
  fs.rmSync(nodePath.join(place.root, "d"), { recursive: true })
  const after = (await workspace.snapshot()).id
  const now = picture(place.root)
  const steps = [
    { before: between, after },
    { before, after: between },
  ]
  const done = await workspace.restore(await workspace.planRestore({ steps }))
  if (done.outcome !== "restored") throw new Error(JSON.stringify(done))
  expect(get(place, "d/local.env")).toBe("key\n")
  const undo = await workspace.planRestore({ steps: [{ before: done.before, after: done.after }] })
  expect((await workspace.restore(undo)).outcome).toBe("restored")
  expect(picture(place.root)).toEqual(now)
})
