// Random work of an agent and a person among ignored files and links that lead outside, then a restore that may die at any
// write, with another session to find what it left.

import fs from "node:fs"
import nodePath from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { OnConflict, Step, Workspace } from "../../../src/workspace/port.ts"
import { anyEdit, type Edit, edit } from "../edits.ts"
import { newPlace, openAt, type Place, picture, put, removePlace } from "../folder.ts"

const PATHS = [
  "a",
  "b.txt",
  "d/x",
  "d/e/z",
  "d",
  "secret.env",
  "build/out",
  "d/local.env",
  ".gitignore",
  "d/.gitignore",
]
const RULES = ["*.env\n", "build\n", "/d/e\n", "!d/local.env\n", "b.*\n", ""]

type Doing = { by: "agent" | "person"; edit: Edit }
const anyDoing: fc.Arbitrary<Doing> = fc.record({
  by: fc.constantFrom("agent" as const, "person" as const),
  edit: fc.oneof(
    { weight: 3, arbitrary: anyEdit(PATHS) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("create" as const),
        path: fc.constantFrom(".gitignore", "d/.gitignore"),
        text: fc.constantFrom(...RULES),
      }),
    },
  ),
})

async function play(place: Place, workspace: Workspace, doings: Doing[]): Promise<Step[]> {
  const steps: Step[] = []
  for (const [i, doing] of doings.entries()) {
    const before = (await workspace.snapshot()).id
    edit(place.root, doing.edit, doing.by === "person" ? `# P${i}\n` : "")
    const after = (await workspace.snapshot()).id
    if (doing.by === "agent") steps.unshift({ before, after })
  }
  return steps
}

/** Every file's bytes by its path; what is behind a link is not the workspace's. */
function contents(root: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  for (const path of Object.keys(picture(root, { without: [".git"] }))) {
    const file = nodePath.join(root, Buffer.from(path, "latin1").toString())
    if (fs.lstatSync(file).isFile()) found.set(path, fs.readFileSync(file))
  }
  return found
}

async function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const place = newPlace()
  put(place, ".git/HEAD", "ref: refs/heads/main\n")
  put(place, ".gitignore", "*.env\nbuild\n")
  for (const path of ["a", "b.txt", "d/x", "secret.env", "build/out", "d/local.env"]) put(place, path, `${path}\ntwo\n`)
  put(place, "../outside/x", "of somebody else\n")
  const outside = picture(nodePath.join(place.base, "outside"))
  try {
    await work(place)
    expect(picture(nodePath.join(place.base, "outside"))).toEqual(outside)
  } finally {
    removePlace(place)
  }
}

const cases = fc.record({
  doings: fc.array(anyDoing, { minLength: 2, maxLength: 12 }),
  rounds: fc.integer({ min: 1, max: 8 }),
  onConflict: fc.constantFrom<OnConflict>("refuse", "ours", "theirs", "write-conflicts"),
  /** At which write the disk fails for good, as far as this process goes. */
  diesAt: fc.option(fc.nat(40), { freq: 2 }),
})

test("a restore that dies is taken back by another session, one that does not is undone exactly, and no byte is lost", {
  timeout: 120_000,
}, async () => {
  const seen = { died: 0, restored: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(cases, async ({ doings, rounds, onConflict, diesAt }) => {
      await inPlace(async (place) => {
        let writes = Number.NaN
        const workspace = await openAt(place, {
          beforeWrite: () => {
            if (diesAt !== null && ++writes > diesAt) throw Object.assign(new Error("dead"), { code: "EIO" })
          },
        })
        const steps = (await play(place, workspace, doings)).slice(0, rounds)
        const now = picture(place.root)
        const bytes = contents(place.root)
        const plan = await workspace.planRestore({ steps, onConflict })
        writes = 0
        const done = await workspace.restore(plan).catch(() => "died" as const)
        writes = Number.NaN
        const other = await openAt(place, { session: "another" })
        const recovered = await other.recover({ recorded: () => done !== "died" && done.outcome === "restored" })
        await other.close()
        if ("left" in recovered) expect(recovered.left).toEqual([])
        if (done === "died") {
          expect(picture(place.root)).toEqual(now)
          seen.died++
        } else if (done.outcome === "refused") {
          expect(picture(place.root)).toEqual(now)
          seen.refused++
        } else {
          const left = contents(place.root)
          for (const [path, content] of bytes) {
            if (left.get(path)?.equals(content)) continue
            const saved = (await workspace.blob(done.before, path)) ?? Buffer.alloc(0)
            expect([path, content.equals(saved)]).toEqual([path, true])
          }
          const undo = await workspace.planRestore({ steps: [{ before: done.before, after: done.after }] })
          expect((await workspace.restore(undo)).outcome).toBe("restored")
          expect(picture(place.root)).toEqual(now)
          seen.restored++
        }
        await workspace.close()
      })
    }),
    { numRuns: 40 },
  )
  expect(seen.restored).toBeGreaterThan(0)
})
