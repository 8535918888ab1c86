// A program saves a file while a restore works on it: the answer says what the file has.
import fs from "node:fs"
import { join } from "node:path"
import { afterEach, expect, test, vi } from "vitest"
import { FilesBench } from "./files-bench.ts"

const unlink = fs.unlinkSync
const opened: number[] = []
afterEach(() => {
  vi.restoreAllMocks()
  for (const file of opened.splice(0)) fs.closeSync(file)
})

/** Saves through a file that is open, when the restore is final and about to delete what it had moved aside. */
function saveInTheEnd(bench: FilesBench, path: string, text: string): void {
  const file = fs.openSync(join(bench.cwd, path), "r+")
  opened.push(file)
  vi.spyOn(fs, "unlinkSync").mockImplementation((at) => {
    if (/\.retcon-restore-.*-old$/.test(at.toString()) && fs.statSync(at).ino === fs.fstatSync(file).ino) {
      fs.ftruncateSync(file, 0)
      fs.writeSync(file, text, 0)
    }
    unlink(at)
  })
}

test.each(["goto @2 --files restore", "restore @2"])("%s", async (words) => {
  const bench = new FilesBench()
  await bench.ask("create a.txt with one", "run echo two > a.txt; echo b > b.txt")
  saveInTheEnd(bench, "a.txt", "saved\n")
  const said = await bench.done(words)
  expect(said).toContain("Changed 1 file:\n  D b.txt")
  expect(said).toContain("Kept as it is: a.txt (it has what was saved to it during the restore)")
  expect([bench.get("a.txt"), bench.get("b.txt")]).toEqual(["saved\n", undefined])
})
