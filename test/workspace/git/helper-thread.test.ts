// The helper thread is only ever help: nothing may wait for one that is not there.

import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import nodePath from "node:path"
import { build } from "tsdown"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openHelperThread } from "../../../src/workspace/git/bulk/helper-thread.ts"
import { newCounter, newRows } from "../../../src/workspace/git/bulk/stat-many.ts"

let folder = ""
beforeAll(() => {
  folder = fs.mkdtempSync(nodePath.join(os.tmpdir(), "retcon-helper-"))
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

test("work that is given before it starts, while it is closed or after that is over at once or done", async () => {
  const helper = openHelperThread()
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
  const helper = openHelperThread()
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

test("a process that only waits for it does not end before it is done", async () => {
  const entry = nodePath.join(import.meta.dirname, "waiting-for-helper.ts")
  await build({
    config: false,
    entry: { child: entry },
    outDir: folder,
    dts: false,
    logLevel: "silent",
    platform: "node",
    format: "esm",
  })
  const program = nodePath.join(folder, fs.readdirSync(folder).find((name) => /^child\.m?js$/.test(name)) as string)
  const output = execFileSync(process.execPath, [program], { encoding: "utf8" })
  expect(output).toBe("done")
})
