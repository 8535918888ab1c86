// Two sessions at work in one workspace.
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Workspace } from "../../../src/workspace/port.ts"
import { get, openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
let mine: Workspace
let yours: Workspace

beforeEach(async () => {
  for (const name of ["a", "b", "c", "d"]) put(place, name, `${name}\n`)
  mine = await openAt(place, { session: "mine" })
  yours = await openAt(place, { session: "yours" })
})
afterEach(async () => {
  await mine.close()
  await yours.close()
})

describe("two sessions in one workspace", () => {
  test("restoring one never takes back what the other did", async () => {
    const { id: before } = await mine.snapshot()
    put(place, "a", "mine\n")
    const { id: after } = await mine.snapshot()
    await yours.snapshot()
    put(place, "b", "yours\n")
    await yours.snapshot()
    const plan = await mine.planRestore({ steps: [{ before, after }] })
    expect((await mine.restore(plan)).outcome).toBe("restored")
    expect([get(place, "a"), get(place, "b")]).toEqual(["a\n", "yours\n"])
  })

  test("what changed while both were working is kept and named", async () => {
    const { id: before } = await mine.snapshot()
    put(place, "a", "whose?\n")
    put(place, "c", "mine for sure\n")
    const { id: after } = await mine.snapshot()
    const plan = await mine.planRestore({ steps: [{ before, after, uncertain: ["a", "c"], shared: ["a"] }] })
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
