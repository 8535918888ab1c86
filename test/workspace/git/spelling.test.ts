// A file system that does not tell upper from lower case, imitated: there is none on most machines that run the tests.
import nodePath from "node:path"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { Step, Workspace } from "../../../src/workspace/port.ts"
import { ignoreCase, real } from "../caseless.ts"
import { openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
let workspace: Workspace
const at = (path: string) => nodePath.join(place.root, path)

beforeEach(async () => {
  ignoreCase(place.root)
  workspace = await openAt(place)
})

afterEach(async () => {
  await workspace.close()
  vi.restoreAllMocks()
})

/** Snapshots around what the agent did. */
async function agent(work: () => void): Promise<Step> {
  const before = (await workspace.snapshot()).id
  work()
  return { before, after: (await workspace.snapshot()).id }
}

async function takeBack(step: Step) {
  const plan = await workspace.planRestore({ steps: [step] })
  const done = await workspace.restore(plan)
  if (done.outcome !== "restored") throw new Error(done.because)
  return { plan, undo: { before: done.before, after: done.after } }
}

const files = () => real.readdirSync(place.root, { recursive: true }).map(String).sort()

test("a file that was only renamed to another case is renamed back, and forth by undo", async () => {
  put(place, "readme.md", "words\n")
  const step = await agent(() => real.renameSync(at("readme.md"), at("README.md")))
  expect((await workspace.diff(step.before, step.after)).map(({ path }) => path)).toEqual(["README.md", "readme.md"])
  const { undo } = await takeBack(step)
  expect([files(), real.readFileSync(at("readme.md"), "utf8")]).toEqual([["readme.md"], "words\n"])
  await takeBack(undo)
  expect([files(), real.readFileSync(at("README.md"), "utf8")]).toEqual([["README.md"], "words\n"])
})

test("so is a folder", async () => {
  put(place, "src/a.txt", "a\n")
  put(place, "src/deep/b.txt", "b\n")
  const step = await agent(() => real.renameSync(at("src"), at("Src")))
  const { undo } = await takeBack(step)
  expect(files()).toEqual(["src", "src/a.txt", "src/deep", "src/deep/b.txt"])
  await takeBack(undo)
  expect(files()).toEqual(["Src", "Src/a.txt", "Src/deep", "Src/deep/b.txt"])
  expect(real.readFileSync(at("Src/deep/b.txt"), "utf8")).toBe("b\n")
})

test("a folder that contains something of the person's keeps its name and its files, and is named", async () => {
  put(place, "src/a.txt", "a\n")
  const step = await agent(() => real.renameSync(at("src"), at("Src")))
  put(place, "Src/mine.txt", "mine\n")
  const plan = await workspace.planRestore({ steps: [step] })
  expect(plan.kept).toContainEqual({ path: "src/a.txt", because: "other-spelling" })
  await workspace.restore(plan)
  expect(files()).toEqual(["Src", "Src/a.txt", "Src/mine.txt"])
})

test("what was in a folder does not come back into the person's, which differs in case, and undo is exact", async () => {
  put(place, "src/a.txt", "a\n")
  const step = await agent(() => real.rmSync(at("src"), { recursive: true }))
  put(place, "Src/mine.txt", "mine\n")
  const { plan, undo } = await takeBack(step)
  expect(plan.kept).toContainEqual({ path: "src/a.txt", because: "other-spelling" })
  await takeBack(undo)
  expect(files()).toEqual(["Src", "Src/mine.txt"])
})

test("a rename that is cut off is put back", async () => {
  put(place, "readme.md", "words\n")
  put(place, "z.txt", "z\n")
  const step = await agent(() => {
    real.renameSync(at("readme.md"), at("README.md"))
    put(place, "z.txt", "agent\n")
  })
  await workspace.close()
  let dead = false
  workspace = await openAt(place, {
    beforeWrite: ({ write, path }) => {
      dead ||= write === "link" && path.endsWith("z.txt")
      if (dead) throw Object.assign(new Error("killed"), { code: "EIO" })
    },
  })
  await expect(workspace.restore(await workspace.planRestore({ steps: [step] }))).rejects.toMatchObject({
    failure: { code: "restore-failed" },
  })
  await workspace.close()
  workspace = await openAt(place)
  expect(await workspace.recover()).toMatchObject({ outcome: "rolled-back", left: [] })
  expect([files(), real.readFileSync(at("README.md"), "utf8")]).toEqual([["README.md", "z.txt"], "words\n"])
})
