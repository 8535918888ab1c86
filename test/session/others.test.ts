// What other sessions in the folder have changed, from their snapshots.
import { expect, test } from "vitest"
import { changesSince } from "../../src/session/files/known/other-sessions.ts"
import { newPlace, openAt, put, removePlace } from "../workspace/folder.ts"

test("since a snapshot that is gone, what changed is not known", async () => {
  const place = newPlace()
  const workspace = await openAt(place)
  const ids = []
  for (const text of ["one", "two", "three"]) {
    put(place, "a.txt", text)
    ids.push((await workspace.snapshot()).id)
  }
  const [first, second, last] = ids as [(typeof ids)[0], (typeof ids)[0], (typeof ids)[0]]
  await workspace.gc({ keep: [first], grace: 0 })
  expect(await changesSince(workspace, first, last)).toMatchObject([{ path: "a.txt" }])
  expect(await changesSince(workspace, second, last)).toBeUndefined()
  await workspace.close()
  removePlace(place)
})
