// The real ripgrep, where it is installed: it must never find less than we do.
import { accessSync, constants, mkdirSync } from "node:fs"
import { delimiter, join } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { grepTool } from "../../../src/agent/tools/grep.ts"
import { ENV, runTool, type Setting, setting, temporaryFolder } from "../setting.ts"

const folder = (process.env.PATH ?? "").split(delimiter).find((each) => isExecutable(join(each, "rg")))

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const files = {
  ".gitignore": "ignored/\n*.min.js\n",
  "src/.gitignore": "!kept.min.js\ngone.ts\n",
  ".ignore": "src/\n",
  "src/b.ts": "const one = 1\nconst two = 2\n",
  "src/a.ts": "let One = 1\r\n\tone\ttwo\r\n",
  "src/gone.ts": "one\n",
  "src/kept.min.js": "one\n",
  "src.ts": "one two\n",
  "no end": "two",
  ".hidden/c.ts": "one here: $x = f(1)\n",
  "ignored/d.ts": "one\n",
  ".git/config": "one\n",
  "ümlaut.txt": "naïve one 😀\n",
}

async function sameWithRipgrep(at: Setting, pattern: string, more: { path?: string; glob?: string } = {}) {
  const without = await runTool(at, grepTool, { pattern, ...more }, { env: { ...ENV, PATH: temporary } })
  const env = { ...ENV, PATH: `${folder}:${ENV.PATH}` }
  expect(await runTool(at, grepTool, { pattern, ...more }, { env })).toEqual(without)
}
let temporary = ""

test.skipIf(folder === undefined)("the real ripgrep changes no answer, whatever the pattern", async () => {
  const at = setting(files)
  temporary = temporaryFolder()
  at.file("latin1", Buffer.from("na\u00efve one\n", "latin1"))
  at.file("utf16", Buffer.from("\ufeffone two\n", "utf16le"))
  at.file("binary", Buffer.from("one\0one\n"))
  const patterns = [
    "one",
    "(?i)ONE",
    "one$",
    "^two",
    "\\bone\\b",
    "e\\s",
    "\\t",
    "x|two",
    "[on]e",
    "f\\(1\\)",
    ".",
    "\\$x",
  ]
  for (const pattern of [
    ...patterns,
    "^$",
    "one\\n",
    "o{2}",
    "1$",
    "\\d$",
    "(?<=const )one",
    "ï",
    "\\S\\r?$",
    "\\b^",
  ]) {
    await sameWithRipgrep(at, pattern)
    await sameWithRipgrep(at, pattern, { path: "src" })
    await sameWithRipgrep(at, pattern, { glob: "*.ts" })
  }
  const piece = fc.constantFrom(
    ..."one two 1 . ^ $ \\b \\s \\w \\d [a-z] ( ) | * + ? \\t = {2} \\. \\( - [^ ]".split(" "),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 4 }), async (pieces) => {
      await sameWithRipgrep(at, pieces.join(""))
    }),
    { numRuns: 60 },
  )
  at.file(".rgignore", "src.ts\n")
  await sameWithRipgrep(at, "one")
})

test.skipIf(folder === undefined)("what lies above the workspace ignores nothing in it", async () => {
  const at = setting({ "a.txt": "one\n" })
  temporary = temporaryFolder()
  at.file("../.gitignore", "*\n")
  mkdirSync(at.file("../.git"))
  await sameWithRipgrep(at, "one")
  expect((await runTool(at, grepTool, { pattern: "one" })).output).toBe("a.txt:1: one")
})
