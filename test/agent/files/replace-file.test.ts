// A file is replaced by a draft beside it, and no draft stays.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { replaceFile } from "../../../src/agent/files/replace-file.ts"

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-replace-")))
})
afterEach(() => rmSync(folder, { recursive: true }))

test("a draft that a killed process left is removed by the next one that writes this file, but not another's or a living one's", async () => {
  const { pid: dead } = spawnSync("true")
  const theirs = [`.a.txt.${dead}-0.tmp`, `.b.txt.retcon-${dead}-0.tmp`, `.a.txt.retcon-${process.ppid}-0.tmp`]
  for (const name of [`.a.txt.retcon-${dead}-3.tmp`, ...theirs]) writeFileSync(join(folder, name), "half")
  await replaceFile(join(folder, "a.txt"), "whole")
  expect(readdirSync(folder).sort()).toEqual([...theirs, "a.txt"].sort())
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("whole")
})

test("a name as long as the system allows is written", async () => {
  const path = join(folder, `${"\u{6f22}".repeat(83)}.txt`)
  await replaceFile(path, "whole")
  expect(readFileSync(path, "utf8")).toBe("whole")
})
