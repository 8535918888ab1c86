import fs from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { wordsFor } from "../../../src/model/failure/failure-words.ts"
import { stagedName } from "../../../src/workspace/git/disk/stage-name.ts"
import { failureOf } from "../../../src/workspace/git/restore/restore.ts"
import { placeForEach, put } from "../folder.ts"

const place = placeForEach()

function refusedBy(work: () => void): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error("the system did it")
}

test("a restore that the system refuses names the file, or the folder in which nothing can be staged", () => {
  put(place, "full/x.txt", "x\n")
  const [target, staged] = [join(place.root, "full"), join(place.root, stagedName("0123456789abcdef", 0, "new"))]
  fs.writeFileSync(staged, "new\n")
  const pathOf = (error: unknown) => failureOf(error, place.root, true).failure
  const over = refusedBy(() => fs.renameSync(staged, target))
  expect(pathOf(over)).toMatchObject({ code: "restore-failed", path: target })
  const aside = refusedBy(() =>
    fs.renameSync(join(place.root, "none.txt"), join(place.root, stagedName("0123456789abcdef", 1, "old"))),
  )
  expect(pathOf(aside)).toMatchObject({ problem: "ENOENT", path: join(place.root, "none.txt") })
  const staging = refusedBy(() =>
    fs.writeFileSync(join(place.root, "none", stagedName("0123456789abcdef", 2, "new")), ""),
  )
  expect(pathOf(staging)).toMatchObject({ path: join(place.root, "none") })
  expect(pathOf(new Error("odd"))).toMatchObject({ problem: "odd", path: place.root })
})

test("and says why in words", () => {
  const why = (problem: string) =>
    wordsFor({ code: "restore-failed", problem, path: "a.txt", rolledBack: true }).message
  expect(why("EPERM")).toBe("a.txt could not be restored: you have no permission to change it or its folder (EPERM).")
  expect(why("ENOSPC")).toBe("a.txt could not be restored: the disk is full (ENOSPC).")
  expect(why("EIO")).toBe("a.txt could not be restored: EIO.")
})
