// A formatter or a generator changes thousands of files at once, again and again, without adding one.
import { afterEach, beforeEach, expect, test } from "vitest"
import type { Workspace } from "../../../src/workspace/port.ts"
import { openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
let workspace: Workspace
beforeEach(async () => {
  workspace = await openAt(place)
})
afterEach(async () => {
  await workspace.close()
})

const PATHS = Array.from({ length: 3000 }, (_, i) => `many/f${i}.txt`)

test("every snapshot has all of them, and one right after it finds nothing new", async () => {
  for (let round = 0; round < 4; round++) {
    for (const path of PATHS) put(place, path, `${path} in round ${round}\n`)
    const { changed } = await workspace.snapshot()
    expect(changed.filter((path) => path !== "many").length).toBe(PATHS.length)
    for (let again = 0; again < 3; again++) expect((await workspace.snapshot()).changed).toEqual([])
  }
})
