// Random work of an agent and a person among ignored files and links that lead outside, then a restore that may die at any
// write, with another session to find what it left.
import fs from "node:fs"
import nodePath from "node:path"
import * as fc from "fast-check"
import { expect, test, vi } from "vitest"
import { folded } from "../../../src/workspace/git/disk/spelling.ts"
import type { OnConflict, SnapshotId, Step, Workspace } from "../../../src/workspace/port.ts"
import { editIgnoringCase, ignoreCase } from "../caseless.ts"
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
  "room/r",
]
/** Names that differ only in case. */
const SPELT = ["a", "A", "b.txt", "B.txt", "d/x", "D/x", "d/X", "D/e/z", "d", "D", "room/r", "room/R"]
const RULES = ["*.env\n", "build\n", "/d/e\n", "!d/local.env\n", "b.*\n", ""]

type Doing = { by: "agent" | "person"; edit: Edit }
const anyDoing = (paths: string[]): fc.Arbitrary<Doing> =>
  fc.record({
    by: fc.constantFrom("agent" as const, "person" as const),
    edit: fc.oneof(
      { weight: 3, arbitrary: anyEdit(paths) },
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

type Edits = typeof edit

async function play(place: Place, workspace: Workspace, doings: Doing[], edits: Edits): Promise<Step[]> {
  const steps: Step[] = []
  for (const [i, doing] of doings.entries()) {
    const before = (await workspace.snapshot()).id
    edits(place.root, doing.edit, doing.by === "person" ? `# P${i}\n` : "")
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
  for (const path of ["a", "b.txt", "d/x", "secret.env", "build/out", "d/local.env", "room/r", "room/s"])
    put(place, path, `${path}\ntwo\n`)
  put(place, "../outside/x", "of somebody else\n")
  try {
    await work(place)
  } finally {
    removePlace(place)
  }
}

const FINDERS = { same: "work", above: ".", below: "work/room" }

const cases = fc.record({
  doings: fc.array(anyDoing(PATHS), { minLength: 2, maxLength: 12 }),
  rounds: fc.integer({ min: 1, max: 8 }),
  onConflict: fc.constantFrom<OnConflict>("refuse", "ours", "theirs", "write-conflicts"),
  /** At which write the disk fails for good, as far as this process goes. */
  diesAt: fc.option(fc.nat(40), { freq: 2 }),
  /** What the person does before another session finds what was left. */
  meanwhile: fc.option(anyEdit(PATHS), { freq: 1 }),
  /** Where that session is. */
  finder: fc.constantFrom(...(Object.keys(FINDERS) as (keyof typeof FINDERS)[])),
})
type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never

/** What is there when edits are over; those may go through a link, but nothing of ours. */
const outside = (place: Place) => picture(nodePath.join(place.base, "outside"))

const MARK = "# M\n"
const marked = (root: string) => [...contents(root)].filter(([, bytes]) => bytes.includes(MARK)).map(([path]) => path)

async function attack(place: Place, { doings, rounds, onConflict, diesAt, meanwhile, finder }: Case, edits: Edits) {
  let writes = Number.NaN
  const workspace = await openAt(place, {
    beforeWrite: () => {
      if (diesAt !== null && ++writes > diesAt) throw Object.assign(new Error("dead"), { code: "EIO" })
    },
  })
  const steps = (await play(place, workspace, doings, edits)).slice(0, rounds)
  const now = picture(place.root)
  const bytes = contents(place.root)
  const before = outside(place)
  const plan = await workspace.planRestore({ steps, onConflict })
  writes = 0
  const done = await workspace.restore(plan).catch(() => "died" as const)
  writes = Number.NaN
  expect(outside(place)).toEqual(before)
  const edited = done === "died" ? meanwhile : null
  if (edited !== null) edits(place.root, edited, MARK)
  const then = outside(place)
  const own = [marked(place.root), removed(edited)] as const
  const other = await openAt(place, { session: "another", root: nodePath.join(place.base, FINDERS[finder]) })
  const recovered = await other.recover({ recorded: () => done !== "died" && done.outcome === "restored" })
  expect(await other.recover()).toEqual({ outcome: "nothing" })
  await other.close()
  if ("left" in recovered && edited === null) expect(recovered.left).toEqual([])
  expect(marked(place.root)).toEqual(own[0])
  expect(Object.keys(picture(place.root)).filter((path) => path.includes(".retcon-restore-"))).toEqual([])
  if (done === "died" || done.outcome === "refused") {
    if (edited === null) expect(picture(place.root)).toEqual(now)
    else await expectSaved(place, workspace, plan.now, bytes, own[1])
  } else {
    await expectSaved(place, workspace, done.before, bytes, [])
    const undo = await workspace.planRestore({ steps: [{ before: done.before, after: done.after }] })
    expect((await workspace.restore(undo)).outcome).toBe("restored")
    expect(picture(place.root)).toEqual(now)
  }
  expect(outside(place)).toEqual(then)
  await workspace.close()
  return done === "died" ? ("died" as const) : done.outcome
}

/** What a person's own edit takes away is their doing. */
function removed(edited: Edit | null): string[] {
  if (edited === null) return []
  return edited.do === "rename" ? [edited.path, edited.to] : [edited.path]
}

/** Every file is on disk as it was, or in the snapshot; but those that `gone` names, and what is below them. */
async function expectSaved(
  place: Place,
  workspace: Workspace,
  snapshot: SnapshotId,
  bytes: Map<string, Buffer>,
  gone: readonly string[],
): Promise<void> {
  const left = contents(place.root)
  for (const [path, content] of bytes) {
    if (left.get(path)?.equals(content)) continue
    const isGone = gone.some((name) => folded(path) === folded(name) || folded(path).startsWith(`${folded(name)}/`))
    const saved = (await workspace.blob(snapshot, path)) ?? Buffer.alloc(0)
    expect([path, isGone || content.equals(saved)]).toEqual([path, true])
  }
}

test("a restore that dies is taken back by another session in the folder, above or below, one that does not is undone exactly, and no byte is lost", {
  timeout: 120_000,
}, async () => {
  const seen = { died: 0, restored: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(cases, async (each) => {
      await inPlace(async (place) => {
        seen[await attack(place, each, edit)]++
      })
    }),
    { numRuns: 40 },
  )
  expect(Math.min(seen.died, seen.restored)).toBeGreaterThan(0)
})

test("the same holds where the file system ignores case", { timeout: 120_000 }, async () => {
  const seen = { died: 0, restored: 0, refused: 0 }
  const doings = fc.array(anyDoing(SPELT), { minLength: 2, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(cases, doings, async (each, spelt) => {
      await inPlace(async (place) => {
        ignoreCase(place.root)
        try {
          seen[await attack(place, { ...each, doings: spelt }, editIgnoringCase)]++
        } finally {
          vi.restoreAllMocks()
        }
      })
    }),
    { numRuns: 40 },
  )
  expect(Math.min(seen.died, seen.restored)).toBeGreaterThan(0)
})
