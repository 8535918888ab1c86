// retcon compare: the comparison as text, as JSON and with the patch, and its refusals.
import { expect, test } from "vitest"
import { FilesBench } from "./files-bench.ts"

async function branched(): Promise<FilesBench> {
  const bench = new FilesBench()
  await bench.ask("create list.txt with salt", "replace salt with pepper in list.txt")
  await bench.done("label head first")
  await bench.done("back --files restore")
  await bench.ask("replace salt with sugar in list.txt")
  return bench
}

test("as text, as JSON, with the patch between the two ends, and refused for a name that nothing has", async () => {
  const bench = await branched()
  const text = await bench.done("compare first")
  expect(text).toContain("“first” and your branch parted after round 1.")
  expect(text).toContain("Changed on both, differently\n  list.txt  first: modified +1 −1 · head: modified +1 −1")
  expect(text).not.toContain("+++ b/list.txt")
  expect(await bench.done("compare first --patch")).toMatch(/-pepper\n.*\+sugar/s)
  const answer = JSON.parse(await bench.done("compare first head --json"))
  expect(answer).toMatchObject({ round: 1, files: [{ path: "list.txt", group: "different" }] })
  expect(await bench.done("compare head")).toBe("They are at the same point.\n")
  const refused = await bench.run(["compare", "nowhere"])
  expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining("nowhere")])
})
