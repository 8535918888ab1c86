import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { completeFiles } from "../../../src/app/open/complete-files.ts"

test("@ knows every file and folder, however many there are", async () => {
  const root = mkdtempSync(join(tmpdir(), "retcon-files-"))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, "a"))
  mkdirSync(join(root, "zz", "deep"), { recursive: true })
  for (let i = 0; i < 20_100; i++) writeFileSync(join(root, "a", `f${i}`), "")
  writeFileSync(join(root, "zz", "deep", "last.txt"), "")
  const { signal } = new AbortController()
  const complete = completeFiles(root, { now: () => 0, patience: 60_000 })
  expect(await complete("last", signal)).toEqual({ paths: ["zz/deep/last.txt"] })
  expect((await complete("zz", signal)).paths.slice(0, 2)).toEqual(["zz/", "zz/deep/"])
})
