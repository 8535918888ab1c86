import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "retcon-sizes-"))
  mkdirSync(join(project, "src"))
})
afterEach(() => rmSync(project, { recursive: true }))

function check(): { said: string; status: number | null } {
  const { stdout, status } = spawnSync(process.execPath, ["scripts/check-sizes.mjs", project], { encoding: "utf8" })
  return { said: stdout, status }
}

test("a file of 500 lines passes, and is counted among the long ones", () => {
  writeFileSync(join(project, "src", "long.ts"), "\n".repeat(500))
  expect(check()).toEqual({ said: "1 files, median 500 lines, 1 over 300\n", status: 0 })
})

test("a file over 500 lines fails and is named", () => {
  writeFileSync(join(project, "src", "long.ts"), "\n".repeat(501))
  const { said, status } = check()
  expect(said).toContain("src/long.ts: 501 lines, over the limit of 500 (sizes)\n")
  expect(status).toBe(1)
})

test("a folder of 40 files passes, one of 41 fails and is named; what lies deeper is not counted", () => {
  const write = (name: string) => writeFileSync(join(project, "src", name), "\n")
  for (let n = 1; n <= 40; n++) write(`${n}.ts`)
  mkdirSync(join(project, "src", "deeper"))
  write("deeper/1.ts")
  expect(check().status).toBe(0)
  write("41.ts")
  const { said, status } = check()
  expect(said).toContain("src: over 40 files in one folder (sizes)\n")
  expect(status).toBe(1)
})
