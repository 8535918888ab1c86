// The same files as git itself would name.
import { execFileSync } from "node:child_process"
import { relative } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { walk, walkTest } from "../../../src/agent/files/walk-files.ts"
import { type Setting, setting } from "../setting.ts"

const signal = new AbortController().signal

async function walked(at: Setting, folder = at.root.folder): Promise<string[]> {
  const found: string[] = []
  for await (const path of walk(folder, { root: at.root.folder, signal })) found.push(relative(at.root.folder, path))
  return found
}

function byGit(at: Setting): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: at.root.folder,
      encoding: "utf8",
      env: { PATH: process.env.PATH ?? "", HOME: at.root.folder, GIT_CONFIG_NOSYSTEM: "1" },
    })
  git("init", "-q")
  return git("-c", "core.quotePath=false", "ls-files", "--others", "--exclude-standard")
    .split("\n")
    .filter((path) => path !== "")
}

test.each([
  ["*.log", "!keep.log"],
  ["/build", "docs/*.txt"],
  ["build/"],
  ["**/cache", "a/**/z"],
  ["a/**", "!a/b.txt"],
  ["#x", "\\#x", "\\!y", "z "],
  ["[ab].txt", "[!c]?.md"],
  ["*", "!*.txt", "!*/"],
  ["{a,b}.txt"],
  ["/*", "!/docs"],
  ["[[:digit:]].txt", "[", "a\\"],
  ["\uFEFFfirst.txt", "z\\ "],
])("with %j in .gitignore a search sees what git sees", async (...lines) => {
  const names = [
    "a.txt",
    "b.txt",
    "c.txt",
    "keep.log",
    "x.log",
    "#x",
    "!y",
    "z",
    "z ",
    "[",
    "1.txt",
    "first.txt",
    "cd.md",
    "{a,b}.txt",
    "build",
    "deep/build/x.txt",
    "docs/a.txt",
    "docs/sub/b.txt",
    "cache/x.txt",
    "deep/cache/y.txt",
    "a/b.txt",
    "a/q/z/w.txt",
    "a/z/w.txt",
  ]
  const at = setting(
    Object.fromEntries([
      ...names.map((name) => [name, "x"]),
      [".gitignore", `${lines.join("\n")}\n`],
      ["docs/.gitignore", "sub/\n!a.txt\n"],
    ]),
  )
  expect((await walked(at)).sort()).toEqual(byGit(at).sort())
})

test("for any rules and files, a search sees what git sees, and a single file is judged the same", async () => {
  const name = fc.constantFrom("a", "b", "ab", "a.x", "c")
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join("/")}.f`)
  const rule = fc.constantFrom(
    "a",
    "a/",
    "/a",
    "!a",
    "*.f",
    "!a*",
    "a/b",
    "**/b",
    "b/**",
    "a/**/b.f",
    "?b",
    "[ab]",
    "/*",
    "!c.f",
    "!/a/",
    "*/a",
    "!*/",
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { minLength: 1, maxLength: 8 }),
      fc.array(rule, { maxLength: 4 }),
      fc.array(rule, { maxLength: 2 }),
      async (paths, outer, inner) => {
        const at = setting()
        for (const each of paths) at.file(each, "x")
        at.file(".gitignore", `${outer.join("\n")}\n`)
        at.file("a/.gitignore", `${inner.join("\n")}\n`)
        const seen = (await walked(at)).sort()
        expect(seen).toEqual(byGit(at).sort())
        const test = walkTest(at.root.folder, at.root.folder)
        for (const each of new Set(paths))
          expect([each, await test(at.file(each))]).toEqual([each, seen.includes(each)])
      },
    ),
    { numRuns: 25 },
  )
})

test("a folder below the root keeps the rules above it; one that is ignored can be named", async () => {
  const at = setting({
    ".gitignore": "*.log\nout/\n",
    "src/a.log": "",
    "src/a.ts": "",
    "out/b.ts": "",
    "out/b.log": "",
  })
  expect(await walked(at, at.file("src"))).toEqual(["src/a.ts"])
  expect(await walked(at, at.file("out"))).toEqual(["out/b.ts"])
})
