// A patch as it is shown can be given to git.
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import nodePath from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { anyEdit, edit, SHARED } from "../edits.ts"
import { newPlace, openAt, picture, put, removePlace } from "../folder.ts"

// A link that turns into a folder is more than git can apply in one go.
const PATHS = [...SHARED.filter((path) => path !== "d"), 'quo"te', "back\\slash", "tab\tname", "with space"]
const edits = fc.array(
  anyEdit(PATHS).filter((each) => each.do !== "binary" && each.do !== "folder"),
  { minLength: 1, maxLength: 8 },
)

/** Files and links with their bytes and whether they can be run: what git knows of them. */
function known(root: string): Record<string, string> {
  const shown = Object.entries(picture(root, { without: [".git"] })).filter(([, what]) => !what.startsWith("folder"))
  const plain = (what: string) =>
    what.replace(/^file ([0-7]+)/, (_, perm: string) => `file ${Number.parseInt(perm, 8) & 0o100 ? "x" : "-"}`)
  return Object.fromEntries(shown.map(([path, what]) => [path, plain(what)]))
}

test("git applies it to the one state and gets the other", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(edits, edits, async (first, second) => {
      const place = newPlace()
      try {
        put(place, "b.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n")
        for (const each of first) edit(place.root, each, "")
        const workspace = await openAt(place)
        const before = (await workspace.snapshot()).id
        const copy = nodePath.join(place.base, "copy")
        fs.cpSync(place.root, copy, { recursive: true, verbatimSymlinks: true })
        for (const each of second) edit(place.root, each, "")
        const patch = await workspace.patch(before, (await workspace.snapshot()).id)
        await workspace.close()
        const env = {
          PATH: process.env.PATH,
          GIT_CEILING_DIRECTORIES: place.base,
          GIT_CONFIG_NOSYSTEM: "1",
          HOME: copy,
        }
        if (patch.length > 0)
          execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: copy, env, input: patch })
        expect(known(copy)).toEqual(known(place.root))
      } finally {
        removePlace(place)
      }
    }),
    { numRuns: 60 },
  )
})
