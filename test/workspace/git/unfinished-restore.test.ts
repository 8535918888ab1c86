// The journal that a restore leaves when it is cut off, and who may finish it.
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { RetconError } from "../../../src/model/failure/retcon-error.ts"
import { get, newPlace, openAt, type Place, picture, put, removePlace } from "../folder.ts"

let place: Place
beforeEach(() => {
  place = newPlace()
})
afterEach(() => removePlace(place))

/** A restore of two files whose disk fails for good after the first one. Returns its journal, and the files before it. */
async function cutOff(): Promise<{ journal: string; start: Record<string, string> }> {
  for (const name of ["one", "two"]) put(place, name, "old\n")
  const workspace = await openAt(place)
  const before = (await workspace.snapshot()).id
  for (const name of ["one", "two"]) put(place, name, "new\n")
  const after = (await workspace.snapshot()).id
  await workspace.close()
  const start = picture(place.root)
  let broken = false
  const failing = await openAt(place, {
    beforeWrite: ({ path }) => {
      broken ||= path.endsWith("/two") && get(place, "one") === "old\n"
      if (broken) throw Object.assign(new Error("EIO"), { code: "EIO" })
    },
  })
  const plan = await failing.planRestore({ steps: [{ before, after }] })
  await expect(failing.restore(plan)).rejects.toMatchObject({ failure: { code: "restore-failed", rolledBack: false } })
  await failing.close().catch(() => {})
  const journal = journalIn(place)
  expect(fs.existsSync(journal)).toBe(true)
  expect([get(place, "one"), get(place, "two")]).toEqual(["old\n", "new\n"])
  return { journal, start }
}

test.each([
  ["retcon restore 3", "format-newer", /newer retcon/],
  ["retcon restore 1", "damaged", /another version of retcon began this restore/],
  ["", "damaged", /another version of retcon began this restore/],
])("one that begins with %j is refused and stays, for the retcon that can finish it", async (kind, code, words) => {
  const { journal, start } = await cutOff()
  const ours = fs.readFileSync(journal, "utf8")
  fs.writeFileSync(journal, ours.replace(/^[^\0]*/, kind))
  const half = picture(place.root)
  const workspace = await openAt(place)
  const plan = await workspace.planRestore({ steps: [] })
  for (const refused of [workspace.recover(), workspace.restore(plan)]) {
    const error = await refused.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RetconError)
    expect(error).toMatchObject({ failure: { code, path: journal } })
    expect((error as RetconError).message).toMatch(words)
  }
  expect(fs.existsSync(journal)).toBe(true)
  expect(picture(place.root)).toEqual(half)
  fs.writeFileSync(journal, ours)
  expect(await workspace.recover()).toMatchObject({ outcome: "rolled-back", left: [] })
  expect(picture(place.root)).toEqual(start)
  await workspace.close()
})

test("one that was cut off while it was written is removed, wherever it was cut", async () => {
  const { journal } = await cutOff()
  const whole = fs.readFileSync(journal)
  const half = picture(place.root)
  const workspace = await openAt(place)
  for (const length of [0, 1, 10, 20, whole.length - 4, whole.length - 1]) {
    fs.writeFileSync(journal, whole.subarray(0, length))
    expect(await workspace.recover()).toMatchObject({ outcome: "rolled-back", id: "", files: [] })
    expect(fs.existsSync(journal)).toBe(false)
  }
  expect(picture(place.root)).toEqual(half)
  await workspace.close()
})

function journalIn({ home }: Place): string {
  const stores = nodePath.join(home, "workspaces")
  const [store = ""] = fs.readdirSync(stores)
  return nodePath.join(stores, store, "restore.journal")
}
