import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { replaceIfPossible } from "../../../src/store/file/disk/problems.ts"
import { temporaryFolder } from "../kit.ts"

test("a derived file is replaced as a whole", () => {
  const folder = temporaryFolder()
  const file = join(folder, "derived")
  writeFileSync(file, "old and longer")
  expect(replaceIfPossible(file, "new")).toBe(true)
  expect(readFileSync(file, "utf8")).toBe("new")
  expect(readdirSync(folder)).toEqual(["derived"])
})

test("a derived file that cannot be replaced stays as it was, with nothing left beside it", () => {
  const folder = temporaryFolder()
  const file = join(folder, "derived")
  mkdirSync(file)
  writeFileSync(join(file, "in the way"), "")
  expect(replaceIfPossible(file, "new")).toBe(false)
  expect(readdirSync(folder, { recursive: true })).toEqual(["derived", join("derived", "in the way")])
})
