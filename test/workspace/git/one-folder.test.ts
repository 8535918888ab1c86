// Many files in one folder: what a restore reads of the folder does not grow with them.
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, expect, test, vi } from "vitest"
import { get, openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
afterEach(() => {
  vi.restoreAllMocks()
})

test("a restore lists a folder as often for forty files as for two", async () => {
  const listed: number[] = []
  for (const files of [2, 40]) {
    const folder = `of ${files}`
    for (let i = 0; i < files; i++) put(place, `${folder}/${i}`, `${i}\n`)
    const workspace = await openAt(place)
    const { id: before } = await workspace.snapshot()
    for (let i = 0; i < files; i++) fs.rmSync(nodePath.join(place.root, folder, String(i)))
    const { id: after } = await workspace.snapshot()
    const plan = await workspace.planRestore({ steps: [{ before, after }] })
    const list = vi.spyOn(fs, "readdirSync")
    expect((await workspace.restore(plan)).outcome).toBe("restored")
    listed.push(list.mock.calls.length)
    list.mockRestore()
    expect(get(place, `${folder}/${files - 1}`)).toBe(`${files - 1}\n`)
    await workspace.close()
  }
  expect(listed[1]).toBe(listed[0])
})
