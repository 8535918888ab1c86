// Somebody swaps a folder for a link while a restore runs, or after it was killed: nothing outside is ever written.
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Step } from "../../../src/workspace/port.ts"
import { newPlace, openAt, type Place, picture, put, removePlace } from "../folder.ts"

let place: Place
let step: Step
const at = (path: string) => nodePath.join(place.root, path)
const outside = () => nodePath.join(place.base, "outside")

/** An agent changed, made and deleted files in `d`; a folder outside has files of the same names. */
async function prepare(): Promise<void> {
  place = newPlace()
  for (const name of ["a.txt", "b.txt", "gone.txt"]) put(place, `d/${name}`, `old ${name}\n`)
  put(place, "d/deep/c.txt", "old c\n")
  const workspace = await openAt(place)
  const before = (await workspace.snapshot()).id
  for (const name of ["a.txt", "b.txt", "new.txt"]) put(place, `d/${name}`, `agent ${name}\n`)
  put(place, "d/deep/c.txt", "agent c\n")
  fs.rmSync(at("d/gone.txt"))
  put(place, "d/made/x.txt", "agent x\n")
  step = { before, after: (await workspace.snapshot()).id }
  await workspace.close()
  fs.cpSync(at("d"), outside(), { recursive: true })
}
beforeEach(prepare)
afterEach(() => removePlace(place))

function swap(): void {
  fs.renameSync(at("d"), at("away"))
  fs.symlinkSync(outside(), at("d"))
}

const staged = () => Object.keys(picture(place.base)).filter((path) => path.includes(".retcon-restore-"))

describe("a folder that becomes a link to one outside", () => {
  test("right before any write of a restore: nothing outside changes, nothing is left behind", async () => {
    let n = 0
    for (let seen = 1; seen > 0; n += 2) {
      const theirs = picture(outside())
      seen = -n
      const workspace = await openAt(place, {
        beforeWrite: ({ path }) => {
          if (!path.startsWith(place.home) && seen++ === 0) swap()
        },
      })
      const plan = await workspace.planRestore({ steps: [step] })
      await workspace.restore(plan).catch(() => undefined)
      expect(picture(outside())).toEqual(theirs)
      expect(staged()).toEqual([])
      await workspace.close()
      removePlace(place)
      await prepare()
    }
    expect(n).toBeGreaterThan(20)
  })

  test("after a restore was killed: recovery writes nothing outside, and names what it could not reach", async () => {
    const theirs = picture(outside())
    let dead = false
    const dying = await openAt(place, {
      beforeWrite: ({ write, path }) => {
        dead ||= write === "link" && path.endsWith("d/b.txt")
        if (dead) throw Object.assign(new Error("killed"), { code: "EIO" })
      },
    })
    await expect(dying.restore(await dying.planRestore({ steps: [step] }))).rejects.toMatchObject({
      failure: { code: "restore-failed", rolledBack: false },
    })
    expect(staged()).not.toEqual([])
    swap()
    const next = await openAt(place, { session: "two" })
    const recovered = await next.recover()
    expect(recovered).toMatchObject({ outcome: "rolled-back" })
    expect(recovered.outcome === "nothing" ? [] : recovered.left).toContain("d/a.txt")
    expect(picture(outside())).toEqual(theirs)
    expect(await next.recover()).toEqual({ outcome: "nothing" })
    await next.close()
  })
})
