// Two sessions at work in one workspace.

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { attribute, stepsOf, type Window } from "../../../src/workspace/attribute.ts"
import type { Workspace } from "../../../src/workspace/port.ts"
import { get, newPlace, openAt, type Place, put, removePlace } from "../folder.ts"

let place: Place
let mine: Workspace
let yours: Workspace
let now = 0

beforeEach(async () => {
  place = newPlace()
  for (const name of ["a", "b", "c", "d"]) put(place, name, `${name}\n`)
  mine = await openAt(place, { session: "mine" })
  yours = await openAt(place, { session: "yours" })
})
afterEach(async () => {
  await mine.close()
  await yours.close()
  removePlace(place)
})

async function begin(session: string, workspace: Workspace) {
  const { id: before } = await workspace.snapshot()
  const start = now++
  return async (): Promise<Window> => {
    const { id: after } = await workspace.snapshot()
    const changed = (await workspace.diff(before, after)).map(({ path }) => path)
    return { session, start, end: now++, before, after, changed, call: { round: `${session} 1`, call: "shell" } }
  }
}

describe("two sessions in one workspace", () => {
  test("restoring one never takes back what the other did", async () => {
    const one = await begin("mine", mine)
    put(place, "a", "mine\n")
    const first = await one()
    const two = await begin("yours", yours)
    put(place, "b", "yours\n")
    const second = await two()
    const plan = await mine.planRestore({ steps: stepsOf(attribute([first], [second]), new Set(["mine 1"])) })
    expect((await mine.restore(plan)).outcome).toBe("restored")
    expect([get(place, "a"), get(place, "b")]).toEqual(["a\n", "yours\n"])
  })

  test("what changed while both were at work is kept and named", async () => {
    const one = await begin("mine", mine)
    const two = await begin("yours", yours)
    put(place, "a", "whose?\n")
    const second = await two()
    put(place, "c", "mine for sure\n")
    const first = await one()
    const steps = stepsOf(attribute([first], [second]), new Set(["mine 1"]))
    const plan = await mine.planRestore({ steps })
    expect(plan.kept).toEqual([{ path: "a", because: "other-session" }])
    expect(plan.uncertain).toEqual(["c"])
    await mine.restore(plan)
    expect([get(place, "a"), get(place, "c")]).toEqual(["whose?\n", "c\n"])
  })

  test("they share one store, and the same files are the same snapshot", async () => {
    const [one, two] = [await mine.snapshot(), await yours.snapshot()]
    expect(one.id).toBe(two.id)
    expect(await yours.diff(one.id, two.id)).toEqual([])
  })
})
