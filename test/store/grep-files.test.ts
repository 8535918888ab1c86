// Many files looked through by several threads: what is found is what one thread finds, whatever becomes of the others.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "tsdown"
import { afterAll, beforeAll, expect, test } from "vitest"
import { bytePattern } from "../../src/store/file/folder/grep-lines.ts"
import { type GrepFile, grepFiles } from "../../src/store/file/grep/grep-files.ts"
import { type GrepHelpers, startGrepHelpers } from "../../src/store/file/grep/grep-helpers.ts"
import type { LinePlace } from "../../src/store/file/grep/piece.ts"

const MB = 1024 * 1024
/** So many that a helper is worth starting. */
const MANY = 64 * MB

let folder = ""
let program: URL
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "retcon-grep-"))
  program = pathToFileURL(join(folder, "grep-program.mjs"))
  const entry = { "grep-program": "src/store/file/grep/grep-program.ts" }
  await build({ config: false, entry, outDir: folder, dts: false, logLevel: "silent", fixedExtension: true })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A file of several pieces, with a hit every few kilobytes; and small ones. */
function someFiles(): { files: GrepFile[]; lines: LinePlace[][] } {
  const files: GrepFile[] = []
  const lines: LinePlace[][] = []
  for (const [n, count] of [2000, 0, 1, 1500].entries()) {
    const parts: LinePlace[] = []
    let text = ""
    for (let i = 0; i < count; i++) {
      text += `${"no ".repeat(1500)}\n`
      const line = `{"text":"the Needle ${i}"}`
      parts.push({ from: text.length, to: text.length + line.length })
      text += `${line}\n`
    }
    const file = join(folder, `${n}.jsonl`)
    writeFileSync(file, text)
    files.push({ file, isOurs: false })
    lines.push(parts)
  }
  return { files, lines }
}

async function allLines(files: GrepFile[], helpers: GrepHelpers, tick = async () => undefined): Promise<LinePlace[][]> {
  const grepping = grepFiles({ files, pattern: bytePattern("needle", "any"), helpers, tick })
  const all: LinePlace[][] = []
  for (const n of files.keys()) all.push(await grepping.linesOf(n))
  helpers.close()
  return all
}

test.runIf(availableParallelism() > 1)("a helper's lines come in their places, in the order of the file", async () => {
  const { files, lines } = someFiles()
  const started = startGrepHelpers(MANY, program)
  let answers = 0
  let helpers: GrepHelpers = started
  const helped = new Promise<void>((settle) => {
    const run: GrepHelpers["run"] = (job, found) =>
      started.run(job, (piece) => {
        answers++
        found(piece)
        settle()
      })
    helpers = { ...started, run }
  })
  // This thread does not go on before the helper has begun.
  const found = await allLines(files, helpers, async () => {
    await helped
  })
  expect(found).toEqual(lines)
  expect(answers).toBeGreaterThan(0)
})

test("a helper that cannot start is not waited for", async () => {
  const { files, lines } = someFiles()
  const helpers = startGrepHelpers(MANY, pathToFileURL(join(folder, "not-there.mjs")))
  expect(await allLines(files, helpers)).toEqual(lines)
})

test("the pieces that a helper took before it died are looked through here", async () => {
  const { files, lines } = someFiles()
  const dying = join(folder, "dying.mjs")
  writeFileSync(
    dying,
    `import { parentPort } from "node:worker_threads"
    parentPort.once("message", ({ next }) => { Atomics.add(next, 0, 2); throw new Error("dead") })`,
  )
  expect(await allLines(files, startGrepHelpers(MANY, pathToFileURL(dying)))).toEqual(lines)
})

test("for little there is no helper, and anything but a regular file has no lines", async () => {
  const { files, lines } = someFiles()
  const odd = [
    { file: join(folder, "missing"), isOurs: false },
    { file: folder, isOurs: false },
  ]
  const helpers = startGrepHelpers(MANY - 1, program)
  expect(await helpers.news()).toBe(false)
  expect(await allLines([...odd, ...files], helpers)).toEqual([[], [], ...lines])
})

test("one of our logs that does not exist is a failure", () => {
  const given = { pattern: bytePattern("needle", "any"), helpers: startGrepHelpers(0), tick: async () => undefined }
  const files = [{ file: join(folder, "missing"), isOurs: true }]
  expect(() => grepFiles({ ...given, files })).toThrow("missing")
})

test("what stands for a file's bytes is looked through instead", async () => {
  const load = () => Buffer.from("no\nneedle\n")
  expect(await allLines([{ file: folder, isOurs: false, load }], startGrepHelpers(0))).toEqual([[{ from: 3, to: 9 }]])
})
