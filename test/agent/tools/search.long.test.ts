import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { globTool } from "../../../src/agent/tools/glob.ts"
import { grepTool } from "../../../src/agent/tools/grep.ts"
import { ENV, runTool, type Setting, setting, temporaryFolder } from "../setting.ts"

const files = {
  ".gitignore": "ignored/\n*.min.js\n",
  "src/b.ts": "const one = 1\nconst two = 2\n",
  "src/a.ts": "let One = 1\r\n",
  "src.ts": "one\n",
  ".hidden/c.ts": "one here\n",
  "ignored/d.ts": "one\n",
  "lib.min.js": "one\n",
  ".git/config": "one\n",
}

/** Stands in for ripgrep: says only which files match, in any order, ignored ones and all. */
function withRipgrep(script: string): { env: Record<string, string> } {
  const bin = temporaryFolder()
  writeFileSync(join(bin, "rg"), `#!/bin/bash\n${script}\n`)
  chmodSync(join(bin, "rg"), 0o755)
  return { env: { ...ENV, PATH: `${bin}:${ENV.PATH}` } }
}
const RIPGREP =
  'pattern="${@: -3:1}"; case "$pattern" in "(?i)"*) i=-i; pattern="${pattern:4}";; esac; pattern="${pattern/%\\$/$\'\\r\'?$}"; grep -rlZE $i -e "$pattern" "${@: -1}" | sort -rz'

async function both(at: Setting, input: { pattern: string; path?: string; glob?: string }): Promise<string> {
  const own = (await runTool(at, grepTool, input, withRipgrep("exit 2"))).output
  expect((await runTool(at, grepTool, input, withRipgrep(RIPGREP))).output).toBe(own)
  expect((await runTool(at, grepTool, input)).output).toBe(own)
  return own
}

test("lines that match are given with path and number, the same with ripgrep and without", async () => {
  const at = setting(files)
  expect(await both(at, { pattern: "one" })).toBe(".hidden/c.ts:1: one here\nsrc/b.ts:1: const one = 1\nsrc.ts:1: one")
  expect(await both(at, { pattern: "(?i)ONE = 1$" })).toBe("src/a.ts:1: let One = 1\nsrc/b.ts:1: const one = 1")
  expect(await both(at, { pattern: "one", glob: "src/*.ts" })).toBe("src/b.ts:1: const one = 1")
  expect(await both(at, { pattern: "one", path: "ignored" })).toBe("ignored/d.ts:1: one")
  expect(await both(at, { pattern: "two", path: "src" })).toBe("src/b.ts:2: const two = 2")
  expect(await both(at, { pattern: "one", path: "src.ts" })).toBe("src.ts:1: one")
  expect(await both(at, { pattern: "nowhere" })).toBe("No line matches nowhere.")
  expect(await both(at, { pattern: "(?<=const )one" })).toBe("src/b.ts:1: const one = 1")
})

test("binary files and long lines are no trouble", async () => {
  const at = setting({ long: `${"x".repeat(1000)}one\n` })
  at.file("binary", Buffer.from("one\0one\n"))
  const { output } = await runTool(at, grepTool, { pattern: "one" })
  expect(output).toBe(`long:1: ${"x".repeat(400)} [cut]`)
})

test("too many lines are cut, with a notice", async () => {
  const at = setting({ many: "one\n".repeat(1000) })
  const lines = (await runTool(at, grepTool, { pattern: "one" })).output.split("\n")
  expect(lines).toHaveLength(301)
  expect(lines.at(-1)).toBe("(More than 300 lines match. Narrow the pattern.)")
})

test("what is not an expression, or one that would take forever, is refused", async () => {
  const at = setting({ evil: `${"a".repeat(60)}b\n` })
  expect((await runTool(at, grepTool, { pattern: "(" })).output).toMatch(/^Not a regular expression: /)
  expect(await runTool(at, grepTool, { pattern: "(a+)+$" }, withRipgrep("exit 2"))).toEqual({
    error: true,
    output: "The pattern takes too long to match. Make it simpler.",
  })
  expect((await runTool(at, grepTool, { pattern: "a", path: "nowhere" })).output).toBe("There is no nowhere.")
})

test("files are found by their paths, ordered by name, without what is ignored", async () => {
  const at = setting(files)
  const find = async (pattern: string, path?: string) =>
    (await runTool(at, globTool, path === undefined ? { pattern } : { pattern, path })).output
  expect(await find("*.ts")).toBe(".hidden/c.ts\nsrc/a.ts\nsrc/b.ts\nsrc.ts")
  expect(await find("src/*.ts")).toBe("src/a.ts\nsrc/b.ts")
  expect(await find("./src.ts")).toBe("src.ts")
  expect(await find("*.ts", "src")).toBe("src/a.ts\nsrc/b.ts")
  expect(await find("*.nothing")).toBe("No file matches *.nothing.")
  expect(await find("*", "nowhere")).toBe("There is no folder nowhere.")
})

test("links are not followed round in circles", async () => {
  const at = setting({ "a/x.ts": "one\n" })
  symlinkSync("..", at.file("a/up"))
  mkdirSync(at.file("b"))
  expect((await runTool(at, globTool, { pattern: "**/*.ts" })).output).toBe("a/x.ts")
})
