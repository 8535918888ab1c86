// Many files looked through by several threads: what is found is what one thread finds, whatever becomes of the others.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "tsdown"
import { afterAll, beforeAll, expect, test } from "vitest"
import { findSessions, type Searched, type SearchedFile } from "../../src/find/find.ts"
import { exactly } from "../../src/find/query.ts"
import { type ScanThreads, scanThreads } from "../../src/find/threads.ts"
import { lineMarks } from "../../src/model/line-marks.ts"

const MB = 1024 * 1024
/** So many that a helper is worth starting. */
const MANY = 64 * MB

let folder = ""
let program: URL
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "retcon-scan-"))
  program = pathToFileURL(join(folder, "scan-program.mjs"))
  const entry = { "scan-program": "src/find/scan-program.ts" }
  await build({ config: false, entry, outDir: folder, dts: false, logLevel: "silent", fixedExtension: true })
})
afterAll(() => rmSync(folder, { recursive: true }))

const MARKS = lineMarks()

/** A file of several pieces, with a hit every few kilobytes; and small ones. With how many hits each has. */
function someFiles(): { files: SearchedFile[]; lines: number[] } {
  const lines = [2000, 0, 1, 1500]
  const files = lines.map((count, n) => {
    const text = Array.from({ length: count }, (_, i) => `${"no ".repeat(1500)}\n{"text":"the Needle ${i}"}\n`).join("")
    const file = join(folder, `${n}.jsonl`)
    writeFileSync(file, text)
    return { file, size: Buffer.byteLength(text), marks: MARKS, isOurs: false }
  })
  return { files, lines }
}

/** How many lines of each file were found, each file as a session. */
async function linesOf(
  files: readonly SearchedFile[],
  threads: ScanThreads,
  tick = async () => undefined,
): Promise<number[]> {
  const sessions = files.map((file): Searched & { name: string } => {
    return { name: file.file, title: "", updated: 0, bytes: file.size, files: async () => [file] }
  })
  const { found } = findSessions(sessions, exactly("needle"), { now: 0, threads, tick })
  const counts = new Map<string, number>()
  for await (const { session, evidence } of found) counts.set(session.name, Math.round(sum(evidence.counts)))
  return files.map(({ file }) => counts.get(file) ?? 0)
}

function sum(counts: Float64Array): number {
  return counts.reduce((all, each) => all + each, 0)
}

/** As for so many bytes, whatever there is. */
function startedFor(bytes: number, at: URL): ScanThreads {
  const threads = scanThreads(at)
  threads.start(bytes)
  return threads
}

test.runIf(availableParallelism() > 1)("what a thread finds counts, and each piece is searched once", async () => {
  const { files, lines } = someFiles()
  const started = startedFor(MANY, program)
  let answers = 0
  let threads: ScanThreads = started
  const helped = new Promise<void>((settle) => {
    const run: ScanThreads["run"] = (job, scanned) =>
      started.run(job, (piece) => {
        answers++
        scanned(piece)
        settle()
      })
    threads = { ...started, run }
  })
  // This thread does not go on before the other has begun.
  const found = await linesOf(files, threads, async () => {
    if (answers > -1) await Promise.race([helped, new Promise((settle) => setTimeout(settle, 0))])
  })
  expect(found).toEqual(lines)
})

test("a thread that cannot start is not waited for", async () => {
  const { files, lines } = someFiles()
  expect(await linesOf(files, startedFor(MANY, pathToFileURL(join(folder, "not-there.mjs"))))).toEqual(lines)
})

test("the pieces that a thread took before it died are searched here", async () => {
  const { files, lines } = someFiles()
  const dying = join(folder, "dying.mjs")
  writeFileSync(
    dying,
    `import { parentPort } from "node:worker_threads"
    parentPort.once("message", ({ next }) => { Atomics.add(next, 0, 2); throw new Error("dead") })`,
  )
  expect(await linesOf(files, startedFor(MANY, pathToFileURL(dying)))).toEqual(lines)
})

test("for little there is no thread, and a file that is gone has no lines", async () => {
  const { files, lines } = someFiles()
  const gone = { file: join(folder, "missing"), size: 100, marks: MARKS, isOurs: false }
  const threads = startedFor(MANY - 1, program)
  expect(await threads.news()).toBe(false)
  expect(await linesOf([gone, ...files], threads)).toEqual([0, ...lines])
})

test("one of our logs that does not exist is a failure", async () => {
  const gone = { file: join(folder, "missing"), size: 100, marks: MARKS, isOurs: true }
  await expect(linesOf([gone], scanThreads(program))).rejects.toThrow("missing")
})

test("what stands for a file's bytes is searched instead", async () => {
  const load = () => Buffer.from('no\n{"text":"needle"}\n')
  expect(await linesOf([{ file: folder, size: 0, marks: MARKS, isOurs: false, load }], scanThreads(program))).toEqual([
    1,
  ])
})
