// A file with several names: a restore replaces one of them, and says so before and after.
import { linkSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { Moved } from "../../src/model/move/moved.ts"
import { movedFiles } from "../../src/tui/words/moved-files-words.ts"
import { movedWords } from "../../web/move/moved-words.ts"
import { FilesBench } from "./files-bench.ts"

const WORDS = "no longer shares its content with its other names (hard links)"

test("the plan and the answer name it, in every front end, and the other name is left alone", async () => {
  const bench = new FilesBench()
  bench.put("linked.txt", "shared\n")
  bench.put("plain.txt", "plain\n")
  linkSync(join(bench.cwd, "linked.txt"), join(bench.folder, "outside.txt"))
  await bench.ask("run echo more >> linked.txt; echo more >> plain.txt")
  const planned = JSON.parse(await bench.done("goto @1 --files restore --dry-run --json")) as Moved
  expect(planned.files).toMatchObject([{ path: "linked.txt", split: true }, { path: "plain.txt" }])
  expect(planned.files[1]).not.toHaveProperty("split")
  expect(movedFiles(planned)).toContain(`linked.txt ${WORDS}`)
  expect(movedWords("Went back", planned).detail).toContain(`linked.txt ${WORDS}`)
  for (const words of ["goto @1 --files restore --dry-run", "goto @1 --files restore"]) {
    const said = (await bench.done(words)).replaceAll(/\s+/g, " ")
    expect(said).toContain(`M linked.txt +0 −1 ${WORDS}`)
    expect(said).not.toContain(`M plain.txt +0 −1 ${WORDS}`)
  }
  expect([bench.get("linked.txt"), bench.get("../outside.txt")]).toEqual(["shared\n", "shared\nmore\n"])
})
