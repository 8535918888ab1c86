// Random rounds of an agent and a person in one workspace, then restores and undos of restores.
import fs from "node:fs"
import nodePath from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { OnConflict, Step, Workspace } from "../../../src/workspace/port.ts"
import { anyEdit, type Edit, edit, SHARED } from "../edits.ts"
import { git, newPlace, openAt, type Place, picture, put, removePlace } from "../folder.ts"

type Doing = { by: "agent" | "person"; edit: Edit }

async function inRepository(work: (place: Place, workspace: Workspace) => Promise<void>): Promise<void> {
  const place = newPlace()
  git(place.root, "init", "-q")
  put(place, "b.txt", "one\ntwo\nthree\nfour\nfive\n")
  put(place, "d/x", "one\ntwo\nthree\nfour\nfive\nsix\n")
  git(place.root, "add", "-A")
  git(place.root, "commit", "-qm", "first")
  const workspace = await openAt(place)
  const own = picture(nodePath.join(place.root, ".git"))
  try {
    await work(place, workspace)
    expect(picture(nodePath.join(place.root, ".git"))).toEqual(own)
  } finally {
    await workspace.close()
    removePlace(place)
  }
}

const files = (place: Place) => picture(place.root, { without: [".git"] })

async function play(
  _place: Place,
  workspace: Workspace,
  doings: Doing[],
  roots: { agent: string; person: string },
): Promise<Step[]> {
  const steps: Step[] = []
  for (const [i, doing] of doings.entries()) {
    const before = (await workspace.snapshot()).id
    edit(roots[doing.by], doing.edit, doing.by === "person" ? `P${i};\n` : "")
    const after = (await workspace.snapshot()).id
    if (doing.by === "agent") steps.unshift({ before, after })
  }
  return steps
}

async function undoIs(
  workspace: Workspace,
  place: Place,
  done: { before: Step["before"]; after: Step["after"] },
  expected: object,
) {
  const plan = await workspace.planRestore({ steps: [{ before: done.before, after: done.after }] })
  expect(plan.conflicts).toEqual([])
  expect((await workspace.restore(plan)).outcome).toBe("restored")
  expect(files(place)).toEqual(expected)
}

const doing = (paths: string[]) =>
  fc.record({ by: fc.constantFrom("agent" as const, "person" as const), edit: anyEdit(paths) })

test("what only the agent touched is exactly undone, and what only the person touched stays", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(doing(SHARED), { maxLength: 14 }), fc.nat(14), async (doings, skipped) => {
      await inRepository(async (place, workspace) => {
        const roots = { agent: place.root, person: nodePath.join(place.root, "persons own") }
        fs.mkdirSync(roots.person)
        put(place, "persons own/keep", "k")
        await play(place, workspace, doings.slice(0, skipped), roots)
        const start = picture(place.root, { without: [".git", "persons own"] })
        const steps = await play(place, workspace, doings.slice(skipped), roots)
        const now = files(place)
        const persons = picture(roots.person)
        const done = await workspace.restore(await workspace.planRestore({ steps }))
        if (done.outcome !== "restored") throw new Error(JSON.stringify(done))
        expect(picture(place.root, { without: [".git", "persons own"] })).toEqual(start)
        expect(picture(roots.person)).toEqual(persons)
        await undoIs(workspace, place, done, now)
      })
    }),
    { numRuns: 60 },
  )
})

function marks(place: Place): Set<string> {
  const found = new Set<string>()
  for (const path of Object.keys(files(place))) {
    const file = nodePath.join(place.root, Buffer.from(path, "latin1").toString())
    if (fs.lstatSync(file).isFile())
      for (const mark of fs.readFileSync(file, "latin1").match(/P\d+;/g) ?? []) found.add(mark)
  }
  return found
}

test("what the person wrote is never lost, a refusal touches nothing, and undo gives back the tree bit for bit", {
  timeout: 120_000,
}, async () => {
  const how = fc.constantFrom<OnConflict>("refuse", "ours", "write-conflicts")
  let restores = 0
  await fc.assert(
    fc.asyncProperty(fc.array(doing(SHARED), { maxLength: 16 }), fc.nat(6), how, async (doings, rounds, onConflict) => {
      await inRepository(async (place, workspace) => {
        const steps = await play(place, workspace, doings, { agent: place.root, person: place.root })
        const now = files(place)
        const written = marks(place)
        const plan = await workspace.planRestore({ steps: steps.slice(0, rounds + 1), onConflict })
        const done = await workspace.restore(plan)
        if (done.outcome !== "restored") {
          expect(done).toMatchObject({ outcome: "refused", because: "conflicts" })
          expect(files(place)).toEqual(now)
          return
        }
        restores++
        const left = marks(place)
        expect([...written].filter((mark) => !left.has(mark))).toEqual([])
        await undoIs(workspace, place, done, now)
      })
    }),
    { numRuns: 80 },
  )
  expect(restores).toBeGreaterThan(20)
})
