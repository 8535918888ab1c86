// A restore was cut off: whoever looks for damage, or only at the list, is told before anything else finishes it.
import fs from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test, vi } from "vitest"
import { FilesBench } from "./files-bench.ts"

afterEach(() => void vi.restoreAllMocks())

/** The disk fails for good as soon as a file is moved aside. */
function failFromNow(): void {
  const rename = fs.renameSync
  let broken = false
  vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    broken ||= to.toString().endsWith("-old")
    if (broken) throw Object.assign(new Error("EIO"), { code: "EIO" })
    rename(from, to)
  })
  const unlink = fs.unlinkSync
  vi.spyOn(fs, "unlinkSync").mockImplementation((path) => {
    if (broken) throw Object.assign(new Error("EIO"), { code: "EIO" })
    unlink(path)
  })
}

test("doctor and ls say so and what finishes it, also from elsewhere; once it is finished, nobody does", async () => {
  const bench = new FilesBench()
  await bench.ask("create a.txt with one", "run echo two > a.txt; echo b > b.txt")
  failFromNow()
  expect((await bench.run(["restore", "@2"])).exit).toBe(1)
  vi.restoreAllMocks()
  const wide = { width: 1000 }
  const finish = "Finish it or take it back with: retcon diff"
  const doctor = await bench.run(["doctor"], wide)
  expect(doctor.exit).toBe(1)
  expect(doctor.out.split("\n").slice(0, 4)).toEqual([
    expect.stringMatching(/restore\.journal$/),
    `  ✗ a restore of files in ${bench.cwd} was interrupted`,
    expect.stringContaining(".retcon-restore-*"),
    `    ${finish}`,
  ])
  expect((await bench.run(["ls"], wide)).out).toContain(
    `A restore of files in ${bench.cwd} was interrupted. ${finish}\n`,
  )
  for (const view of ["log", "ops"])
    expect((await bench.run([view], wide)).out).toContain(`was interrupted. ${finish}\n`)
  const project = bench.cwd
  bench.cwd = join(bench.folder, "elsewhere")
  fs.mkdirSync(bench.cwd)
  expect((await bench.run(["doctor"], wide)).exit).toBe(0)
  const there = `take it back with: cd ${project} && retcon diff\n`
  expect((await bench.run(["doctor", "--all"], wide)).out).toContain(there)
  expect((await bench.run(["ls", "--all"], wide)).out).toContain(there)
  bench.cwd = project
  expect((await bench.run(["diff", "--stat"])).err).toContain("An interrupted restore was taken back")
  expect((await bench.run(["doctor"], wide)).out).toMatch(/^All good/)
  expect((await bench.run(["ls"], wide)).out).not.toContain("interrupted")
  expect([bench.get("a.txt"), bench.get("b.txt")]).toEqual(["two\n", "b\n"])
})
