// Ignore rules are read as data, and mean what they mean to git.
import fs from "node:fs"
import nodePath from "node:path"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { git, openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()

async function covered(root = place.root, settings = {}): Promise<string[]> {
  const workspace = await openAt({ ...place, root }, { settings })
  const { changed } = await workspace.snapshot()
  await workspace.close()
  return changed.sort()
}

describe("ignore rules", () => {
  test("of the repository's root and of info/exclude apply in a workspace below the root", async () => {
    git(place.root, "init", "-q")
    put(place, ".gitignore", "*.tmp\n/sub/anchored\n!keep.tmp\n")
    put(place, "sub/.gitignore", "own\n")
    fs.writeFileSync(nodePath.join(place.root, ".git/info/exclude"), "excluded\n")
    for (const name of ["a.tmp", "keep.tmp", "anchored", "own", "excluded", "plain"])
      put(place, `sub/deep/${name}`, "x")
    for (const name of ["a.tmp", "keep.tmp", "anchored", "own", "excluded", "plain"]) put(place, `sub/${name}`, "x")
    expect(await covered(nodePath.join(place.root, "sub"))).toEqual([
      ".gitignore",
      "deep/anchored",
      "deep/keep.tmp",
      "deep/plain",
      "keep.tmp",
      "plain",
    ])
  })

  test("of a linked worktree come from its repository", async () => {
    git(place.root, "init", "-q")
    put(place, "a", "x")
    git(place.root, "add", "-A")
    git(place.root, "commit", "-qm", "first")
    git(place.root, "worktree", "add", "-q", "../linked")
    fs.writeFileSync(nodePath.join(place.root, ".git/info/exclude"), "excluded\n")
    const linked = nodePath.join(place.base, "linked")
    fs.writeFileSync(nodePath.join(linked, "excluded"), "x")
    expect(await covered(linked)).toEqual(["a"])
  })

  test("end at a nested repository or submodule, which has its own", async () => {
    git(place.root, "init", "-q")
    put(place, ".gitignore", "*.o\nvendor/ignored/\n")
    for (const name of ["vendor/lib", "vendor/ignored"]) {
      fs.mkdirSync(nodePath.join(place.root, name), { recursive: true })
      git(nodePath.join(place.root, name), "init", "-q")
      put(place, `${name}/x.o`, "x")
      put(place, `${name}/y.c`, "x")
    }
    fs.writeFileSync(nodePath.join(place.root, "vendor/lib/.git/info/exclude"), "*.c\n")
    expect(await covered()).toEqual([".gitignore", "vendor/lib/x.o"])
  })

  test("are overruled by the setting for some files, even inside ignored folders", async () => {
    put(place, ".gitignore", ".env\nbuild/\nnode_modules/\n")
    git(place.root, "init", "-q")
    for (const path of [".env", "pkg/.env", "build/out/a.js", "build/other/b.js", "node_modules/x/.env"])
      put(place, path, "x")
    expect(await covered(place.root, { include: [".env", "build/out/"] })).toEqual([
      ".env",
      ".gitignore",
      "build/out/a.js",
      "pkg/.env",
    ])
  })

  test("that change do not make files look created or deleted", async () => {
    git(place.root, "init", "-q")
    put(place, ".gitignore", "hidden\n")
    put(place, "hidden", "the person's")
    put(place, "seen", "seen")
    const workspace = await openAt(place)
    const before = (await workspace.snapshot()).id
    put(place, ".gitignore", "seen\n")
    const after = (await workspace.snapshot()).id
    expect((await workspace.diff(before, after)).map(({ path }) => path)).toEqual([".gitignore"])
    const plan = await workspace.planRestore({ steps: [{ before, after }] })
    expect(plan.kept).toEqual([{ path: "hidden", because: "not-covered" }])
    expect((await workspace.restore(plan)).outcome).toBe("restored")
    expect(fs.readFileSync(nodePath.join(place.root, "hidden"), "utf8")).toBe("the person's")
    await workspace.close()
  })

  const piece = fc.constantFrom(
    "a",
    "b",
    "ab",
    "*",
    "**",
    "?",
    "[ab]",
    "[!a]",
    "\\*",
    "*.c",
    "a*",
    "[[:alpha:]]",
    "[a-",
    "ü",
    " ",
  )
  const line = fc
    .tuple(
      fc.constantFrom("", "!", "/", "!/", "**/"),
      fc.array(piece, { minLength: 1, maxLength: 3 }),
      fc.constantFrom("", "/", "/**", " ", "\\ ", "\r"),
    )
    .map(([start, parts, end]) => start + parts.join("/").replaceAll("*/", "*/") + end)
  const names = ["a", "b", "ab", "x.c", "*", "ü", " "]

  test("mean what git says they mean", { timeout: 120_000 }, async () => {
    git(place.root, "init", "-q")
    const paths = [...names, ...names.flatMap((one) => ["a", "b", "x.c", "ab"].map((two) => `dir ${one}/${two}`))]
    for (const one of ["a", "b", "ab"]) for (const two of names) paths.push(`deep/${one}/${two}`)
    for (const path of paths) put(place, path, "x")
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), fc.array(line, { maxLength: 2 }), async (root, deep) => {
        put(place, ".gitignore", root.join("\n"))
        put(place, "deep/.gitignore", deep.join("\n"))
        const expected = git(place.root, "ls-files", "-z", "--others", "--exclude-standard")
          .split("\0")
          .filter(Boolean)
          .sort()
        fs.rmSync(place.home, { recursive: true, force: true })
        expect(await covered()).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })
})
