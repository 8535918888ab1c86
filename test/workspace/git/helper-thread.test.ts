// The helper thread is only ever help: nothing may wait for one that is not there.

import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import nodePath from "node:path"
import { pathToFileURL } from "node:url"
import { inflateSync } from "node:zlib"
import { build } from "tsdown"
import { afterAll, beforeAll, expect, test } from "vitest"
import { newCounter } from "../../../src/workspace/git/bulk/chunks.ts"
import type { ReadChunk } from "../../../src/workspace/git/bulk/helper-job.ts"
import { openHelperThread } from "../../../src/workspace/git/bulk/helper-thread.ts"
import { openStatMany } from "../../../src/workspace/git/bulk/stat-many.ts"
import { newRows, rowAt } from "../../../src/workspace/git/bulk/stat-rows.ts"
import { oidOf } from "../../../src/workspace/git/objects/object.ts"

let folder = ""
let program: URL
beforeAll(async () => {
  folder = fs.mkdtempSync(nodePath.join(os.tmpdir(), "retcon-helper-"))
  program = pathToFileURL(nodePath.join(folder, "helper-program.mjs"))
  const entry = {
    child: nodePath.join(import.meta.dirname, "waiting-for-helper.ts"),
    "helper-program": "src/workspace/git/bulk/helper-program.ts",
  }
  await build({ config: false, entry, outDir: folder, dts: false, logLevel: "silent", fixedExtension: true })
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

const job = (paths: string[]) => ({
  kind: "stat" as const,
  list: paths.join("\0"),
  count: paths.length,
  prefix: `${folder}/`,
  next: newCounter(),
  rows: newRows(paths.length),
})

test("work given to it before it starts, while it is closed or after that is done, or returns at once", async () => {
  const helper = openHelperThread(program)
  await helper.run(job(["never started"]))
  helper.isReady()
  const first = job(["a", "b"])
  await helper.run(first)
  expect([first.rows[0], first.rows[5]]).toEqual([0, 0])
  const cut = helper.run(job(["c"]))
  await helper.close()
  await cut
  await helper.run(job(["closed"]))
  helper.isReady()
  const again = job(["d"])
  await helper.run(again)
  expect(again.rows[0]).toBe(0)
  await helper.close()
})

test("one that died is started again", async () => {
  const helper = openHelperThread(program)
  helper.isReady()
  // Not a list: the helper's program throws.
  await helper.run({ ...job(["x"]), list: 1 as unknown as string })
  await helper.run(job(["dead"]))
  helper.isReady()
  const next = job(["e"])
  await helper.run(next)
  expect(next.rows[0]).toBe(0)
  await helper.close()
})

test("what it reads comes back in pack format, and what is too large or missing is left", async () => {
  const texts = ["short\n", "long ".repeat(2000), "too long ".repeat(2000)]
  texts.forEach((text, i) => {
    fs.writeFileSync(nodePath.join(folder, `file ${i}`), text)
  })
  const helper = openHelperThread(program)
  helper.isReady()
  const read: ReadChunk[] = []
  const reading = job(["file 0", "file 1", "file 2", "file 3"])
  await helper.run({ ...reading, kind: "read", limit: 12_000 }, (chunk) => read.push(chunk))
  await helper.close()
  const [{ oids, lengths, raw }] = read as [ReadChunk]
  expect(oids).toEqual([oidOf("blob", Buffer.from(texts[0] ?? "")), oidOf("blob", Buffer.from(texts[1] ?? "")), "", ""])
  expect(lengths.slice(2)).toEqual([0, 0])
  expect(inflateSync(raw.subarray(1, lengths[0])).toString()).toBe(texts[0])
  // A length of more than four bits takes more bytes of the header: 10,000 takes three.
  expect(inflateSync(raw.subarray((lengths[0] ?? 0) + 3)).toString()).toBe(texts[1])
  expect(rowAt(reading.rows, 1)).toMatchObject({ size: 10_000, ino: fs.statSync(nodePath.join(folder, "file 1")).ino })
})

test("one whose program does not exist helps nobody, and nobody waits for it", async () => {
  const helper = openHelperThread(new URL("./nothing.mjs", program))
  helper.isReady()
  const undone = job(["x"])
  await helper.run(undone)
  expect(undone.rows[0]).toBe(-1)
  await helper.close()
})

test("a process that only waits for it does not end before it is done", () => {
  const output = execFileSync(process.execPath, [nodePath.join(folder, "child.mjs")], { encoding: "utf8" })
  expect(output).toBe("done")
})

test("each job is about its own paths, also when another kind of job came in between", async () => {
  const many = nodePath.join(folder, "many")
  fs.mkdirSync(many)
  const paths = Array.from({ length: 2000 }, (_, i) => `many/f${i}`)
  for (const path of paths) fs.writeFileSync(nodePath.join(folder, path), path)
  const helper = openHelperThread(program)
  helper.isReady()
  await helper.run(job(["wakes it"]))
  const statMany = openStatMany(helper)
  // Leaves the other thread most of the work.
  const breathe = () => new Promise<void>((resolve) => setImmediate(resolve))
  for (let round = 0; round < 5; round++) {
    const rows = await statMany(folder, paths, breathe)
    expect(paths.filter((path, i) => rowAt(rows, i).size !== path.length)).toEqual([])
    await helper.run({ ...job(["many/f0"]), kind: "read", limit: 1000 }, () => undefined)
  }
  await helper.close()
})
