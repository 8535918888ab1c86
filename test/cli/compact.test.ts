// retcon compact: on the command line what /compact is in the terminal.
import { copyFileSync, mkdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { makeStage } from "./stage.ts"

async function stage() {
  const made = makeStage()
  mkdirSync(made.cwd, { recursive: true })
  const env = { PATH: process.env.PATH ?? "" }
  const retcon = (...words: string[]) => made.retcon(words, { env })
  for (const text of ["create a.txt with one", "create b.txt with two", "create c.txt with three"]) {
    await retcon("run", "-c", "--model", "practice", "--mode", "yolo", text)
  }
  return retcon
}

test("the older part becomes a summary, one undo brings it back, and JSON has the entry", async () => {
  const retcon = await stage()
  const { out, exit } = await retcon("compact", "--model", "practice", "--focus", "the files")
  expect(exit).toBe(0)
  expect(out).toMatch(/^Compacted \d+ messages\.\n/)
  expect(out).toContain("Take this back with: retcon undo")
  const context = (await retcon("show", "--context")).out
  expect(context).toContain("Previous context has been compacted")
  await retcon("undo")
  expect((await retcon("show", "--context")).out).not.toContain("Previous context has been compacted")
  const json = await retcon("compact", "--model", "practice", "--json")
  expect(JSON.parse(json.out)).toMatchObject({ entry: expect.any(String), messages: expect.any(Number), missing: [] })
})

test("-s FILE compacts the session in that file, not one in the list with the same id", async () => {
  const retcon = await stage()
  const [{ file }] = JSON.parse((await retcon("ls", "--json")).out) as [{ file: string }]
  const copy = `${file}.copy.jsonl`
  copyFileSync(file, copy)
  const before = readFileSync(file)
  expect(await retcon("compact", "--model", "practice", "-s", copy)).toMatchObject({ exit: 0 })
  expect((await retcon("show", "--context", "-s", copy)).out).toContain("Previous context has been compacted")
  expect(readFileSync(file)).toEqual(before)
})

test("with nothing to compact it says so, and fails", async () => {
  const retcon = await stage()
  await retcon("compact", "--model", "practice")
  const { err, exit } = await retcon("compact", "--model", "practice")
  expect(exit).toBe(1)
  expect(err).toMatch(/^retcon: /)
})
