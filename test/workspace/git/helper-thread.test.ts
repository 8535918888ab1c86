// The helper thread is only ever help: nothing may wait for one that is not there, and what it did for a job that failed
// reaches no other.
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import nodePath from "node:path"
import { pathToFileURL } from "node:url"
import { inflateSync } from "node:zlib"
import { build } from "tsdown"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { pathList } from "../../../src/workspace/git/bulk/helper-job.ts"
import { type HelperJob, type HelperThread, openHelperThread } from "../../../src/workspace/git/bulk/helper-thread.ts"
import { openStatMany } from "../../../src/workspace/git/bulk/stat-many.ts"
import { newRows, rowAt, type StatRow } from "../../../src/workspace/git/bulk/stat-rows.ts"
import { oidOf } from "../../../src/workspace/git/objects/object.ts"
import { readMany } from "../../../src/workspace/git/snapshot/store-index.ts"

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

/** Gives it all the work. */
async function stats(helper: HelperThread, ...paths: string[]) {
  const rows = newRows(paths.length)
  await using job = helper.start(pathList(folder, paths), { kind: "stat", rows })
  await job.ended
  return paths.map((_, i) => rowAt(rows, i))
}

async function reads(helper: HelperThread, paths: string[], limit: number) {
  await using job = helper.start(pathList(folder, paths), { kind: "read", limit })
  await job.ended
  return job.arrived()
}

test("work given to it before it starts, while it is closed or after that is done, or returns at once", async () => {
  const helper = openHelperThread(program)
  expect(await stats(helper, "never started")).toEqual(["unknown"])
  helper.isReady()
  expect(await stats(helper, "a", "b")).toEqual(["nothing there", "nothing there"])
  const cut = stats(helper, "c")
  await helper.close()
  await cut
  expect(await stats(helper, "closed")).toEqual(["unknown"])
  helper.isReady()
  expect(await stats(helper, "d")).toEqual(["nothing there"])
  await helper.close()
})

test("one that died is started again", async () => {
  const helper = openHelperThread(program)
  helper.isReady()
  // Not a list: the helper's program throws.
  const broken = { ...pathList(folder, ["x"]), list: 1 as unknown as string }
  await helper.start(broken, { kind: "read", limit: 1 }).ended
  await stats(helper, "dead")
  helper.isReady()
  expect(await stats(helper, "e")).toEqual(["nothing there"])
  await helper.close()
})

test("what it reads comes back in pack format, and what is too large or missing is left", async () => {
  const texts = ["short\n", "long ".repeat(2000), "too long ".repeat(2000)]
  texts.forEach((text, i) => {
    fs.writeFileSync(nodePath.join(folder, `file ${i}`), text)
  })
  const helper = openHelperThread(program)
  helper.isReady()
  const [chunk] = await reads(helper, ["file 0", "file 1", "file 2", "file 3"], 12_000)
  await helper.close()
  const { files = [], raw = new Uint8Array() } = chunk ?? {}
  const oids = texts.slice(0, 2).map((text) => oidOf("blob", Buffer.from(text)))
  expect(files.map((file) => file?.oid)).toEqual([...oids, undefined, undefined])
  const first = files[0]?.length ?? 0
  expect(inflateSync(raw.subarray(1, first)).toString()).toBe(texts[0])
  // A length of more than four bits takes more bytes of the header: 10,000 takes three.
  expect(inflateSync(raw.subarray(first + 3)).toString()).toBe(texts[1])
  expect(files[1]?.stat).toMatchObject({ size: 10_000, ino: fs.statSync(nodePath.join(folder, "file 1")).ino })
})

test("one whose program does not exist helps nobody, and nobody waits for it", async () => {
  const helper = openHelperThread(new URL("./nothing.mjs", program))
  helper.isReady()
  expect(await stats(helper, "x")).toEqual(["unknown"])
  await helper.close()
})

test("a process that only waits for it does not end before it is done", () => {
  const output = execFileSync(process.execPath, [nodePath.join(folder, "child.mjs")], { encoding: "utf8" })
  expect(output).toBe("done")
})

describe("with many files", () => {
  const paths = Array.from({ length: 2000 }, (_, i) => `many/f${i}`)
  beforeAll(() => {
    fs.mkdirSync(nodePath.join(folder, "many"))
    for (const path of paths) fs.writeFileSync(nodePath.join(folder, path), path)
  })
  /** After its first chunk, this thread leaves the rest to the other one. */
  function reading(helper: HelperThread, list: string[]) {
    let job: HelperJob | undefined
    const start: HelperThread["start"] = (...given) => {
      job = helper.start(...given)
      return job
    }
    const nothing = () => undefined
    const breathe = () => job?.ended
    return {
      helper: { ...helper, start },
      root: folder,
      paths: list,
      limit: 1000,
      breathe,
      read: nothing,
      take: nothing,
    }
  }

  test("each job is about its own paths, also when another kind of job came in between", async () => {
    const helper = openHelperThread(program)
    helper.isReady()
    await stats(helper, "wakes it")
    const statMany = openStatMany(helper)
    const breathe = () => new Promise<void>((resolve) => setImmediate(resolve))
    for (let round = 0; round < 5; round++) {
      const rows = await statMany(folder, paths, breathe)
      expect(paths.filter((path, i) => !hasSize(rowAt(rows, i), path.length))).toEqual([])
      await reads(helper, ["many/f0"], 1000)
    }
    await helper.close()
  })

  test("a process that looks once starts no thread for it, one that looks again does", async () => {
    const helper = openHelperThread(program)
    let started = 0
    const isReady = () => {
      started++
      return helper.isReady()
    }
    const statMany = openStatMany({ ...helper, isReady })
    const counts: number[] = []
    for (let look = 0; look < 2; look++) {
      const rows = await statMany(folder, paths, () => undefined)
      expect(paths.filter((path, i) => !hasSize(rowAt(rows, i), path.length))).toEqual([])
      counts.push(started)
    }
    expect(counts).toEqual([0, 1])
    await helper.close()
  })

  test.each(["read", "take"] as const)(
    "nothing of a job that failed (%s) reaches the next, which is right at once",
    async (fails) => {
      const helper = openHelperThread(program)
      helper.isReady()
      await stats(helper, "wakes it")
      const full = () => {
        throw new Error("no room")
      }
      await expect(readMany({ ...reading(helper, paths), [fails]: full })).rejects.toThrow("no room")
      // The next list is shorter: at each number there is another path.
      const fewer = paths.slice(7)
      const taken = new Map<string, string>()
      const read = new Set<string>()
      await readMany({
        ...reading(helper, fewer),
        read: (i) => read.add(fewer[i] as string),
        take: (i, { oid }) => taken.set(fewer[i] as string, oid),
      })
      expect([...taken].filter(([path, oid]) => oid !== oidOf("blob", Buffer.from(path)))).toEqual([])
      expect(taken.size).toBeGreaterThan(0)
      expect(new Set([...read, ...taken.keys()])).toEqual(new Set(fewer))
      await helper.close()
    },
  )

  test("a job that failed is over: the helper looks at no more of its paths", async () => {
    const helper = openHelperThread(program)
    helper.isReady()
    await stats(helper, "wakes it")
    const rows = newRows(paths.length)
    const list = pathList(folder, paths)
    {
      await using job = helper.start(list, { kind: "stat", rows })
      expect(job.arrived()).toEqual([])
    }
    const known = () => paths.filter((_, i) => rowAt(rows, i) !== "unknown").length
    const before = known()
    expect(before).toBeLessThan(paths.length)
    await stats(helper, "comes after it")
    expect(known()).toBe(before)
    await helper.close()
  })
})

function hasSize(row: StatRow, size: number): boolean {
  return typeof row === "object" && row.size === size
}
